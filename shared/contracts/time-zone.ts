import { z } from 'zod';

/** An IANA time zone that this machine knows. */
export const TimeZoneSchema = z
  .string()
  .refine(isTimeZone, { error: 'must be an IANA time zone such as Asia/Shanghai' });

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== '';
  } catch {
    return false; // Intl has no other way to say that it does not know a zone.
  }
}
