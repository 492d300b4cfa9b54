/** A text with every link in its plain spelling, in lower case. */
export interface FoldedText {
  readonly folded: string;
  /** True when the text spells a dot, a colon or an at sign in brackets, as in `evil[.]com`. */
  readonly isDisguised: boolean;
}

/**
 * Undoes the spellings that hide a link from a pattern and not from a reader or a browser: invisible
 * characters, full-width and other compatibility letters, look-alikes of the dot, colon, slash and at
 * sign, signs in brackets. Letters of other scripts that look Latin stay: they name another host.
 */
export function foldLinkText(text: string): FoldedText {
  const plain = LOOK_ALIKES.reduce(
    (spelled, [pattern, sign]) => spelled.replace(pattern, sign),
    text
      .replace(/\p{Default_Ignorable_Code_Point}+/gu, '')
      .replace(/[\p{L}\p{N}\p{M}\p{So}]+/gu, (word) => word.normalize('NFKC')),
  ).toLowerCase();
  const folded = BRACKETED.reduce(
    (spelled, [pattern, sign]) => spelled.replace(pattern, sign),
    plain,
  );
  return { folded, isDisguised: folded !== plain };
}

/** Punctuation is folded sign by sign: a Chinese question mark must not become the start of a query. */
const LOOK_ALIKES: readonly (readonly [RegExp, string])[] = [
  [/[\uff0e\u2024\ufe52]|(?<=[A-Za-z0-9])[\u3002\uff61](?=[A-Za-z0-9])/g, '.'],
  [/[\uff1a\ufe13\ufe55\u2236\ua789]/g, ':'],
  [/[\uff0f\u2044\u2215\u29f8\u2571]/g, '/'],
  [/[\uff3c\ufe68\u2216\u29f5]/g, '\\'],
  [/[\uff20\ufe6b]/g, '@'],
];

const BRACKETED: readonly (readonly [RegExp, string])[] = [
  [/\s?[[({](?:\.|dot|点)[\])}]\s?/g, '.'],
  [/\s?[[({](?:@|at)[\])}]\s?/g, '@'],
  [/[[({]:[\])}]/g, ':'],
  [/[[({]:\/\/[\])}]/g, '://'],
];
