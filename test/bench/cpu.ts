/** Seconds of CPU that the work took: other programs may share the cores, so the clock's time says little. */
export function cpuSeconds(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000_000;
}

/** The same for work that is awaited. */
export async function cpuSecondsOf(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000_000;
}

export function print(name: string, value: string): void {
  process.stdout.write(`${name.padEnd(58)} ${value}\n`);
}

export function perSecond(count: number, seconds: number): string {
  return `${Math.round(count / seconds).toLocaleString('en')} lines/s`;
}

/** Prints what n and 2n take; twice the time or less is linear. */
export function printGrowth(name: string, [once, twice]: readonly [number, number]): void {
  const ratio = (twice / once).toFixed(2);
  print(name, `${once.toFixed(3)} s, twice as many ${twice.toFixed(3)} s, ratio ${ratio}`);
}
