import { describe, expect, it } from 'vitest';
import { canonicalJson, sha256Hex } from '../../../shared/kernel/canonical-json.ts';

describe('canonicalJson', () => {
  it('orders the keys of every object and keeps the order of lists', () => {
    const json = canonicalJson({ b: [{ y: 1, x: 2 }, 'z', 'a'], a: { d: null, c: true } });

    expect(json).toBe('{"a":{"c":true,"d":null},"b":[{"x":2,"y":1},"z","a"]}');
  });

  it('leaves undefined members out', () => {
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}');
  });

  it('keeps a key that names a prototype', () => {
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":2}'))).toBe('{"__proto__":2,"b":1}');
  });
});

describe('sha256Hex', () => {
  it('hashes text as its UTF-8 bytes', () => {
    expect(sha256Hex('abc')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
    expect(sha256Hex(new TextEncoder().encode('支付'))).toBe(sha256Hex('支付'));
  });
});
