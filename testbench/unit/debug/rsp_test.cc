// SPDX-License-Identifier: Apache-2.0
//
// Packets of gdb's remote serial protocol: whole, damaged, too long, rubbish; and the words for breakpoints.
#include "cosim/debug/rsp.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>

#include "cosim/debug/debug_int.h"

namespace {

struct Reader {
  std::unique_ptr<rsp_reader_t> r = std::make_unique<rsp_reader_t>();
  /** The last event that is not None, of all bytes; None: there was none. */
  rsp_event_t feed(const std::string &bytes) {
    rsp_event_t last = kRspNone;
    for (char c : bytes) {
      const rsp_event_t e = rsp_feed(r.get(), static_cast<uint8_t>(c));
      if (e != kRspNone) last = e;
    }
    return last;
  }
  std::string data() const { return std::string(r->data, r->n); }
};

std::string frame_of(const rsp_reply_t &p) {
  std::string out(kRspMax + 5, '\0');
  out.resize(rsp_frame(&p, out.data()));
  return out;
}

TEST(Rsp, ReadsAPacketAndItsChecksum) {
  Reader r;
  EXPECT_EQ(r.feed("$m4000,40#c1"), kRspPacket) << "6d + 34 + 3 * 30 + 2c + 34 + 30 = 1c1";
  EXPECT_EQ(r.data(), "m4000,40");
  EXPECT_EQ(r.feed("$m4000,40#c2"), kRspBad);
  EXPECT_EQ(r.feed("$#00"), kRspPacket);
  EXPECT_EQ(r.data(), "");
  EXPECT_EQ(r.feed("$g#6g"), kRspBad) << "a checksum that is no number";
  EXPECT_EQ(r.feed("+"), kRspAck);
  EXPECT_EQ(r.feed("-"), kRspNack);
  EXPECT_EQ(r.feed("\x03"), kRspInterrupt);
  EXPECT_EQ(r.feed("abc\n"), kRspNone) << "between packets";
  EXPECT_EQ(r.feed("$lost$g#67"), kRspPacket) << "the end of the first was lost";
  EXPECT_EQ(r.data(), "g");
}

TEST(Rsp, EscapesWhatTheProtocolUses) {
  auto p = std::make_unique<rsp_reply_t>();
  const std::string all = std::string("a$b#c}d*e\0f", 11);
  rsp_start(p.get());
  rsp_binary(p.get(), all.data(), all.size());
  Reader r;
  EXPECT_EQ(r.feed(frame_of(*p)), kRspPacket);
  EXPECT_EQ(r.data(), all);
}

TEST(Rsp, APacketThatIsTooLongIsAskedForAgain) {
  auto p = std::make_unique<rsp_reply_t>();
  rsp_start(p.get());
  const std::string most(kRspMax, 'x');
  rsp_text(p.get(), "%s", most.c_str());
  Reader r;
  EXPECT_EQ(r.feed(frame_of(*p)), kRspPacket);
  EXPECT_EQ(r.data().size(), static_cast<size_t>(kRspMax));
  EXPECT_EQ(r.feed("$" + most + "y#" + "00"), kRspBad);
  EXPECT_EQ(r.feed("$g#67"), kRspPacket) << "and the next one is read";
}

TEST(Rsp, RepliesAreCutAtTheirRoom) {
  auto p = std::make_unique<rsp_reply_t>();
  rsp_start(p.get());
  const std::string much(3 * kRspMax, '}');
  rsp_binary(p.get(), much.data(), much.size());
  EXPECT_LE(p->n, static_cast<size_t>(kRspMax));
  rsp_hex(p.get(), much.data(), much.size());
  rsp_text(p.get(), "%s", much.c_str());
  EXPECT_LE(p->n, static_cast<size_t>(kRspMax));
}

TEST(Rsp, Numbers) {
  const char *at = "200100000000,8";
  uint64_t v = 0;
  EXPECT_TRUE(rsp_number(&at, &v));
  EXPECT_EQ(v, 0x200100000000u);
  EXPECT_STREQ(at, ",8");
  at = ",";
  EXPECT_FALSE(rsp_number(&at, &v));
  at = "00000000000000000000ff";
  EXPECT_TRUE(rsp_number(&at, &v));
  EXPECT_EQ(v, 0xffu);
  at = "11112222333344445";
  EXPECT_FALSE(rsp_number(&at, &v)) << "more than 64 bits";
  char bytes[4];
  EXPECT_EQ(rsp_unhex("61626", bytes, 4), 2u);
  EXPECT_EQ(std::string(bytes, 2), "ab");
  EXPECT_EQ(rsp_unhex("616263646566", bytes, 4), 4u) << "no more than there is room for";
}

TEST(Rsp, RubbishEndsNothing) {
  for (unsigned seed = 1; seed <= 20; seed++) {
    std::mt19937 rng(seed);
    Reader r;
    for (int i = 0; i < 50000; i++) {
      static const char kOften[] = "$#}+-\x03qgmZ0,;:";
      const char c = rng() % 3 == 0 ? kOften[rng() % (sizeof kOften - 1)] : static_cast<char>(rng());
      (void)r.feed(std::string(1, c));
      ASSERT_LE(r.r->n, static_cast<size_t>(kRspMax)) << "seed " << seed;
    }
    (void)r.feed("##0"); /* whatever stands open is closed */
    (void)r.feed("00");
    ASSERT_EQ(r.feed("$g#67"), kRspPacket) << "seed " << seed;
    ASSERT_EQ(r.data(), "g");
  }
}

TEST(DebugBreak, Words) {
  dbg_break_t b;
  wg_diag_t d = {};
  ASSERT_EQ(dbg_break_parse("0x40,warp=2#3", &b, &d), kWgOk);
  EXPECT_EQ(b.kind, kDbgEvent);
  EXPECT_EQ(b.places, 1u);
  EXPECT_EQ(b.at[0].pc, 0x40u);
  EXPECT_EQ(b.when.warp, 2);
  EXPECT_TRUE(b.once);
  EXPECT_EQ(b.when.nth, 3u);
  ASSERT_EQ(dbg_break_parse("dir/x.cu:12,block=7", &b, &d), kWgOk);
  EXPECT_EQ(b.kind, kDbgLine);
  EXPECT_STREQ(b.name, "dir/x.cu");
  EXPECT_EQ(b.value, 12u);
  EXPECT_EQ(b.when.block, 7);
  EXPECT_FALSE(b.once);
  ASSERT_EQ(dbg_break_parse("line:5", &b, &d), kWgOk);
  EXPECT_STREQ(b.name, "");
  ASSERT_EQ(dbg_break_parse("kernel:mul<float>,sm=1", &b, &d), kWgOk);
  EXPECT_STREQ(b.name, "mul<float>");
  ASSERT_EQ(dbg_break_parse("cycle:77", &b, &d), kWgOk);
  EXPECT_EQ(b.value, 77u);
  ASSERT_EQ(dbg_break_parse("start#2", &b, &d), kWgOk);
  ASSERT_EQ(dbg_break_parse("barrier:15", &b, &d), kWgOk);
  EXPECT_EQ(b.when.kind, kWgWhenBarrier);
  for (const char *bad : {"", "0x41", "pc:", "x.cu:", "x.cu:0", "x.cu:9999999999999999999999", "kernel:", "cycle:x", "cycle:1,warp=1", "start:1", "barrier:16", "foo",
                          "0x40,warp=99", "0x40#0", "x.cu:1;", ",", "#", ":"}) {
    EXPECT_EQ(dbg_break_parse(bad, &b, &d), kWgBadInput) << bad;
    EXPECT_NE(d.msg[0], '\0') << bad;
  }
  EXPECT_EQ(wg_debug_check_breaks("0x40;start;barrier:1", 0, &d), kWgOk);
  EXPECT_EQ(wg_debug_check_breaks("0x40;;start", 0, &d), kWgBadInput);
  EXPECT_EQ(wg_debug_check_breaks("start;exit,sm=3", 4, &d), kWgOk);
  EXPECT_EQ(wg_debug_check_breaks("start;exit,sm=4", 4, &d), kWgBadInput);
  EXPECT_EQ(wg_debug_check_breaks("exit,sm=4", 0, &d), kWgOk);
  for (const char *good : {"1234", "0", "65535", "./socket.that.is.not.there", "/tmp/socket.that.is.not.there"}) {
    EXPECT_EQ(wg_debug_check_gdb(good, &d), kWgOk) << good;
  }
  for (const char *bad : {"65536", "abc", "-1", "1e3", "", "0x10", "12 ", "./no/such/folder/socket", "/tmp", "./"}) {
    EXPECT_EQ(wg_debug_check_gdb(bad, &d), kWgBadInput) << bad;
    EXPECT_NE(d.msg[0], '\0') << bad;
  }
}

}  // namespace
