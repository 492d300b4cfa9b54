/** The queries of a run scanned more than they may. */
export class ScanLimitError extends Error {
  override readonly name = 'ScanLimit';
}

/**
 * What the queries of one run share: the bytes they may scan, and the order that no call begins
 * before the queries of the one before have ended or been stopped, so that two at most run at once.
 */
export class InsightsRun implements AsyncDisposable {
  readonly #maxScannedBytes: number;
  readonly #running = new Set<Promise<unknown>>();
  #scannedBytes = 0;

  constructor(maxScannedBytes: number) {
    this.#maxScannedBytes = maxScannedBytes;
  }

  get isSpent(): boolean {
    return this.#scannedBytes >= this.#maxScannedBytes;
  }

  /** @throws ScanLimitError once all queries together are at the limit */
  book(bytes: number): void {
    this.#scannedBytes += bytes;
    if (this.isSpent) throw new ScanLimitError();
  }

  /** Keeps a query in the account until it has ended, whoever still waits for it. */
  track<Result>(query: Promise<Result>): Promise<Result> {
    const settled = query.then(ignore, ignore).finally(() => this.#running.delete(settled));
    this.#running.add(settled);
    return query;
  }

  /** Resolves when no query of this run is left. */
  async idle(): Promise<void> {
    await Promise.all(this.#running);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.idle();
  }
}

function ignore(): void {}
