/** True in CI and with `LONG=1`: suites that spawn processes or wait then try every case they have. */
export const IS_THOROUGH = process.env['CI'] === 'true' || process.env['LONG'] === '1';
