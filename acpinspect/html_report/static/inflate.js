// Raw DEFLATE (RFC 1951), for browsers without DecompressionStream("deflate-raw").

const LENGTH_BASE = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
  163, 195, 227, 258];
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCE_BASE = [1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537,
  2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577];
const DISTANCE_BITS = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13,
  13];
const CODE_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

// A Huffman code as counts by length, and symbols in the order of their codes.
function huffman(lengths) {
  const counts = new Uint16Array(16), offsets = new Uint16Array(16);
  for (const length of lengths) counts[length] += 1;
  counts[0] = 0;
  for (let i = 1; i < 15; i += 1) offsets[i + 1] = offsets[i] + counts[i];
  const symbols = new Uint16Array(lengths.length);
  lengths.forEach((length, symbol) => {
    if (length) symbols[offsets[length]++] = symbol;
  });
  return { counts, symbols };
}

class BitReader {
  constructor(bytes) {
    this.bytes = bytes;
    this.place = 0;
    this.held = 0;
    this.count = 0;
  }

  bits(wanted) {
    while (this.count < wanted) {
      if (this.place >= this.bytes.length) throw new Error("the data of this page is cut off");
      this.held |= this.bytes[this.place++] << this.count;
      this.count += 8;
    }
    const value = this.held & ((1 << wanted) - 1);
    this.held >>>= wanted;
    this.count -= wanted;
    return value;
  }

  symbol(code) {
    let value = 0, first = 0, index = 0;
    for (let length = 1; length < 16; length += 1) {
      value |= this.bits(1);
      const count = code.counts[length];
      if (value - count < first) return code.symbols[index + (value - first)];
      index += count;
      first = (first + count) << 1;
      value <<= 1;
    }
    throw new Error("the data of this page is damaged");
  }
}

class Output {
  constructor() {
    this.bytes = new Uint8Array(1 << 16);
    this.length = 0;
  }

  room(more) {
    if (this.length + more <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.length + more));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }

  put(byte) {
    this.room(1);
    this.bytes[this.length++] = byte;
  }

  copy(distance, length) {
    this.room(length);
    for (let i = 0; i < length; i += 1, this.length += 1) this.bytes[this.length] = this.bytes[this.length - distance];
  }
}

function fixedCodes() {
  const lengths = [];
  for (let i = 0; i < 288; i += 1) lengths.push(i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8);
  return { literal: huffman(lengths), distance: huffman(new Array(30).fill(5)) };
}

function dynamicCodes(input) {
  const literals = input.bits(5) + 257, distances = input.bits(5) + 1, codes = input.bits(4) + 4;
  const order = new Array(19).fill(0);
  for (let i = 0; i < codes; i += 1) order[CODE_ORDER[i]] = input.bits(3);
  const code = huffman(order), lengths = [];
  while (lengths.length < literals + distances) {
    const symbol = input.symbol(code);
    if (symbol < 16) lengths.push(symbol);
    else {
      const last = symbol === 16 ? lengths[lengths.length - 1] : 0;
      const times = symbol === 16 ? 3 + input.bits(2) : symbol === 17 ? 3 + input.bits(3) : 11 + input.bits(7);
      for (let i = 0; i < times; i += 1) lengths.push(last);
    }
  }
  return { literal: huffman(lengths.slice(0, literals)), distance: huffman(lengths.slice(literals)) };
}

function inflateStored(input, output) {
  input.held = input.count = 0;
  const at = input.place, length = input.bytes[at] | (input.bytes[at + 1] << 8);
  output.room(length);
  output.bytes.set(input.bytes.subarray(at + 4, at + 4 + length), output.length);
  output.length += length;
  input.place = at + 4 + length;
}

function inflateCoded(input, output, codes) {
  for (;;) {
    const symbol = input.symbol(codes.literal);
    if (symbol === 256) return;
    if (symbol < 256) output.put(symbol);
    else {
      const length = LENGTH_BASE[symbol - 257] + input.bits(LENGTH_BITS[symbol - 257]);
      const far = input.symbol(codes.distance);
      output.copy(DISTANCE_BASE[far] + input.bits(DISTANCE_BITS[far]), length);
    }
  }
}

function inflate(bytes) {
  const input = new BitReader(bytes), output = new Output();
  for (let last = 0; !last;) {
    last = input.bits(1);
    const type = input.bits(2);
    if (type === 0) inflateStored(input, output);
    else inflateCoded(input, output, type === 1 ? fixedCodes() : dynamicCodes(input));
  }
  return output.bytes.subarray(0, output.length);
}
