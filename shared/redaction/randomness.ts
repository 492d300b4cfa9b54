/** True for text that no person would write as a word, a name or a number: a token, a digest, a UUID. */
export function looksRandom(text: string): boolean {
  if (text.length < 8 || text.length > MAX_JUDGED)
    return text.length > 8 && looksRandom(text.slice(0, MAX_JUDGED));
  if (/\s/.test(text)) return false;
  if (UUID.test(text)) return true;
  if (/^[0-9a-f]+$/i.test(text)) return text.length >= 16 && /\d/.test(text) && /[a-f]/i.test(text);
  return text.split(/[-_.:/]+/).some(hasRandomPiece) || isBase64Word(text);
}

/** True for what could be a password typed after a blank: mixed characters, no word of a sentence. */
export function looksTyped(text: string): boolean {
  if (text.length < 6 || /^[0-9.:,%/-]+$/.test(text)) return false;
  const classes = [/[a-z]/, /[A-Z]/, /[0-9]/, /[!#$%&*+~^?@]/].filter((one) =>
    one.test(text),
  ).length;
  return /[0-9]/.test(text) && classes >= 2 && !/^[\w.-]+[=:(]/.test(text) && !isDuration(text);
}

/** So many characters decide about a longer text. */
const MAX_JUDGED = 512;

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

function hasRandomPiece(piece: string): boolean {
  if (piece.length < 8) return false;
  const digits = piece.match(/[0-9]/g)?.length ?? 0;
  const letters = piece.match(/[A-Za-z]/g)?.length ?? 0;
  if (digits < 2 || letters < 2) return isZigzag(piece);
  const turns = piece.match(/[A-Za-z](?=[0-9])|[0-9](?=[A-Za-z])/g)?.length ?? 0;
  return turns >= 2 && (turns >= 3 || /[a-z]/.test(piece) === /[A-Z]/.test(piece));
}

// Letters alone are random when capitals turn up where no camel has a hump.
function isZigzag(piece: string): boolean {
  const humps = piece.match(/[A-Z](?=[a-z]?[A-Z])|[a-z](?=[A-Z][A-Z])/g)?.length ?? 0;
  return piece.length >= 12 && /[a-z]/.test(piece) && humps >= 3;
}

function isBase64Word(text: string): boolean {
  return /^[A-Za-z0-9+/]{8,}={1,2}$/.test(text) && /[A-Z]/.test(text);
}

function isDuration(text: string): boolean {
  return /^[0-9.]+(?:ms|us|ns|s|sec|min|h|d|kb|mb|gb|k|m|g|b|bytes|qps|rps|tps)(?:\/s)?$/i.test(
    text,
  );
}
