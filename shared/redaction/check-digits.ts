/** True when the digits pass the Luhn check of ISO/IEC 7812-1, which bank cards carry. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits[digits.length - 1 - place]);
    const doubled = place % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return digits.length > 0 && sum % 10 === 0;
}

// GB 11643-1999: weights of the first 17 digits, and the check characters by remainder modulo 11.
const ID_WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
const ID_CHECK_CHARACTERS = '10X98765432';

/** True when the check character of an 18-character identity card number of China is right. */
export function passesIdCardCheck(number: string): boolean {
  const sum = ID_WEIGHTS.reduce((total, weight, at) => total + weight * Number(number[at]), 0);
  return number.length === 18 && ID_CHECK_CHARACTERS[sum % 11] === number[17]?.toUpperCase();
}

/** True when the text has the form of such a number: province, county, date of birth. */
export function hasIdCardForm(number: string): boolean {
  return /^[1-9][0-9]{5}(?:18|19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])[0-9]{3}[0-9Xx]$/.test(
    number,
  );
}
