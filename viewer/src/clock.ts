// The time that the page shows: the replay stands there, and every plot marks it. Whoever moves it, all follow.

export class Clock {
  private listeners = new Set<(time: number) => void>();
  private stateListeners = new Set<(playing: boolean) => void>();
  private now = 0;
  private running = false;
  first = 0; // s
  last = 0; // s
  speed = 1; // s of the run per s

  get time(): number {
    return this.now;
  }
  get playing(): boolean {
    return this.running;
  }

  setRange(first: number, last: number): void {
    this.first = first;
    this.last = last;
    this.set(first);
  }

  set(time: number): void {
    this.now = Math.min(Math.max(time, this.first), this.last);
    for (const listener of this.listeners) listener(this.now);
  }

  // From the end it starts again.
  play(playing: boolean): void {
    if (playing === this.running) return;
    this.running = playing;
    if (playing && this.now >= this.last) this.set(this.first);
    for (const listener of this.stateListeners) listener(playing);
  }

  advance(seconds: number): void {
    if (!this.running) return;
    this.set(this.now + seconds * this.speed);
    if (this.now >= this.last) this.play(false);
  }

  onTime(listener: (time: number) => void): void {
    this.listeners.add(listener);
  }
  onPlaying(listener: (playing: boolean) => void): void {
    this.stateListeners.add(listener);
  }
}

export const clock = new Clock();
