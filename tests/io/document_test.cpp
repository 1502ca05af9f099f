#include "ricochet/io/document.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "io/output_test_support.hpp"
#include "io/scene_test_support.hpp"

namespace ricochet::test {
namespace {

io::Value tree_of(std::string_view text) { return io::parse_document(text, "a.yaml"); }

std::string document_complaint(std::string_view text) {
  return input_complaint([&] { tree_of(text); });
}

TEST(Document, KeepsKeysInOrderWithTheirPlaces) {
  const io::Value tree = tree_of("b: 1\na:\n  - x\n  - {c: 'y'}\n");
  ASSERT_TRUE(tree.is_map());
  EXPECT_EQ(tree.keys[0].text, "b");
  EXPECT_EQ(tree.keys[1].text, "a");
  EXPECT_EQ(tree.keys[1].place.text(), "a.yaml:2:1");
  const io::Value* list = tree.find("a");
  ASSERT_NE(list, nullptr);
  ASSERT_TRUE(list->is_list());
  EXPECT_EQ(list->items[0].text, "x");
  const io::Value* quoted = list->items[1].find("c");
  ASSERT_NE(quoted, nullptr);
  EXPECT_EQ(quoted->text, "y");
  EXPECT_TRUE(quoted->quoted);
  EXPECT_EQ(quoted->place.text(), "a.yaml:4:9");
  EXPECT_EQ(quoted->text_column, 10);
}

TEST(Document, ReadsJson) {
  const io::Value tree = tree_of("{\n\t\"a\": [1,2,\t3],\n\t\"b\":{\"c\":true,\"d\":\"x\\/y\\u00e4\"}\n}\n");
  EXPECT_EQ(tree.find("a")->items.size(), 3U);
  EXPECT_EQ(tree.find("b")->find("c")->text, "true");
  EXPECT_EQ(tree.find("b")->find("d")->text, "x/y\u00e4");
}

TEST(Document, ReadsBlocksFoldedTextAndWindowsLines) {
  const io::Value tree = tree_of(
      "\xef\xbb\xbf"
      "a: |\r\n  one\r\n  two\r\nb: folded\r\n  text\r\nc: 1\r\n");
  EXPECT_TRUE(tree.find("a")->quoted);
  EXPECT_EQ(tree.find("b")->text, "folded text");
  EXPECT_EQ(tree.find("b")->text_column, 0);
  EXPECT_EQ(tree.find("c")->place.text(), "a.yaml:6:4");
}

TEST(Document, CountsColumnsInCharacters) {
  const io::Value tree = tree_of("{ä: ö, ü: 1}");
  EXPECT_EQ(tree.keys[1].place.column, 8);
  EXPECT_EQ(tree.find("ü")->place.column, 11);
}

TEST(Document, AMissingValueIsAtItsKey) {
  const io::Value tree = tree_of("a:\nb: 1\n");
  EXPECT_EQ(tree.find("a")->kind, io::Value::Kind::nothing);
  EXPECT_EQ(tree.find("a")->place.text(), "a.yaml:1:1");
}

TEST(Document, AllowsSixtyFourLevels) {
  EXPECT_EQ(document_complaint(std::string(64, '[') + std::string(64, ']')), "");
}

TEST(Document, ALongLineTakesNotLongerThanItsLength) {
  std::string line = "a: [";
  for (int i = 0; i < 200000; ++i) line += "0,";
  EXPECT_EQ(tree_of(line + "0]").find("a")->items.size(), 200001U);
}

struct WrongDocument {
  std::string_view text;
  std::string_view message;
};

TEST(DocumentBadInput, WhatIsRefusedIsExplained) {
  const std::vector<WrongDocument> documents = {
      {"", "a.yaml: the file is empty; a scene begins with 'ricochet: 1'"},
      {"# only a comment\n", "a.yaml: the file is empty; a scene begins with 'ricochet: 1'"},
      {"a: 1\n---\nb: 2\n", "a.yaml:2:1: here begins a second document; a scene is one document in one file"},
      {"- 1\na: 2\n", "a.yaml:2:1: this does not belong to what stands above; check the indentation"},
      {"a: 1\nb: 2\na: 3\n", "a.yaml:3:1: the key 'a' appears twice in this map, first in line 1; delete one of them"},
      {"a: {b: 1, c: 2, 'b': 3}",
       "a.yaml:1:17: the key 'b' appears twice in this map, first in line 1; delete one of them"},
      {"a: &x 1\nb: *x\n",
       "a.yaml:1:4: anchors (words that begin with '&') are not allowed; put the text in quotes or write it out"},
      {"a: *x\n", "a.yaml:1:4: aliases (words that begin with '*') are not allowed; put the text in quotes"},
      {"<<: {a: 1}\n", "a.yaml:1:1: merge keys ('<<') are not allowed; write the keys out"},
      {"a: !int 3\n", "a.yaml:1:4: tags (words that begin with '!') are not allowed in a scene"},
      {"a: ! 3\n", "a.yaml:1:4: tags (words that begin with '!') are not allowed in a scene"},
      {"a: !!map {b: 1}\n", "a.yaml:1:4: tags (words that begin with '!') are not allowed in a scene"},
      {"[1]: 2\n",
       "a.yaml:1:1: a key must be a word; if none is meant here, check that every '[' and '{' above is closed"},
      {"~: 2\n",
       "a.yaml:1:1: a key must be a word; if none is meant here, check that every '[' and '{' above is closed"},
      {"a: [1, 2\nb: 3\n", "a.yaml:2:2: a '[' is not closed by ']', or a ',' is missing"},
      {"a: {b: 1\n", "a.yaml:2:1: a '{' is not closed by '}', or a ',' is missing"},
      {"a: 'x\n", "a.yaml:1:4: a quoted text begins here and is not closed"},
      {"a: \"x\n", "a.yaml:1:4: a quoted text begins here and is not closed"},
      {"a: b: c\n", "a.yaml:1:5: a ': ' cannot stand here; check the indentation, or put the text in quotes"},
      {"a: 1\n b: 2\n", "a.yaml:2:3: a ': ' cannot stand here; check the indentation, or put the text in quotes"},
      {"a:\n\tb: 1\n", "a.yaml:2:3: there is a tab in the indentation; indent with spaces"},
      {"a: @x\n", "a.yaml:1:4: text cannot begin with this character; put it in quotes"},
      {"a: }\n", "a.yaml:1:4: a ']' or '}' closes something that is not open"},
      {"a: - 1\n", "a.yaml:1:4: a list entry '- value' cannot stand here; check the indentation"},
      {"a: \"\\q\"\n", "a.yaml:1:7: this is not YAML: unknown escape character: q"},
      {"a: \x04 1\n", "a.yaml:1:4: there is a control character (0x04) in the text; delete it"},
      {"a: 1\nb: \xff\n", "a.yaml:2:4: this is not UTF-8 text; save the scene in UTF-8"},
      {"a: \xc0\x80\n", "a.yaml:1:4: this is not UTF-8 text; save the scene in UTF-8"},
      {std::string_view("a: \0 1", 6), "a.yaml: this is a binary file; a scene is a text file"},
  };
  for (const WrongDocument& wrong : documents) EXPECT_EQ(document_complaint(wrong.text), wrong.message) << wrong.text;
}

TEST(DocumentBadInput, DeepNestingIsRefusedBeforeItOverflowsTheStack) {
  const std::string sentence = "lists and maps are nested more than 64 levels deep";
  EXPECT_EQ(document_complaint(std::string(65, '[') + std::string(65, ']')), "a.yaml:1:65: " + sentence);
  EXPECT_EQ(document_complaint(std::string(100000, '[')), "a.yaml: " + sentence);
  std::string maps, entries, indented;
  for (int i = 0; i < 100000; ++i) {
    maps += "{a: ";
    entries += "- ";
  }
  for (int i = 0; i < 100; ++i) indented += std::string(i, ' ') + "a:\n";
  EXPECT_EQ(document_complaint(maps), "a.yaml: " + sentence);
  EXPECT_EQ(document_complaint(entries), "a.yaml:1:129: " + sentence);
  EXPECT_EQ(document_complaint(indented), "a.yaml:65:65: " + sentence);
}

TEST(DocumentBadInput, WhatIsTooMuchIsRefused) {
  EXPECT_EQ(document_complaint(std::string(16'000'001, ' ')), "a.yaml: the text is larger than 16 MB");
  EXPECT_EQ(document_complaint(std::string(2'000'001, '\n')),
            "a.yaml: the file has more than two million lines and values");
}

TEST(DocumentBadInput, FilesThatCannotBeReadAreNamed) {
  const TemporaryDirectory directory;
  const auto complaint = [](const std::filesystem::path& path) {
    return input_complaint([&] { io::read_document_text(path.string()); });
  };
  const std::string folder = directory.path().string();
  EXPECT_EQ(complaint(directory.path() / "none.yaml"), folder + "/none.yaml: there is no such file");
  EXPECT_EQ(complaint(directory.path()), folder + ": this is a directory; give the file of a scene");
  put_file(directory.path() / "large.yaml", std::string(16'000'001, 'a'));
  EXPECT_EQ(complaint(directory.path() / "large.yaml"), folder + "/large.yaml: the file is larger than 16 MB");
  put_file(directory.path() / "secret.yaml", "a: 1");
  ::chmod((directory.path() / "secret.yaml").c_str(), 0);
  const std::string said = complaint(directory.path() / "secret.yaml");  // nothing is secret for root
  if (!said.empty()) {
    EXPECT_EQ(said, folder + "/secret.yaml: the file cannot be read: Permission denied");
  }
}

}  // namespace
}  // namespace ricochet::test
