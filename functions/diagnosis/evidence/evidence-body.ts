import type { RedactedText } from '../../../shared/redaction/redactor.ts';

/** The part of an observation that differs by tool. Strings of a source are redacted by type. */
export type EvidenceBody = KnowledgeBody | LogsBody | MysqlBody;

export interface KnowledgeBody {
  readonly evidence: readonly {
    readonly document_id: RedactedText;
    readonly title: RedactedText;
    readonly excerpt: RedactedText;
    readonly score?: number;
  }[];
  readonly skipped_count: number;
}

export interface LogsBody {
  readonly matched_count: number;
  readonly returned_count: number;
  readonly patterns: readonly {
    readonly line: RedactedText;
    readonly count: number;
    readonly level: RedactedText;
    readonly first_seen: string | null;
    readonly last_seen: string | null;
  }[];
  readonly events: readonly RedactedText[];
  readonly timeline: readonly { readonly start: string; readonly count: number }[];
}

export interface MysqlBody {
  readonly columns: readonly RedactedText[];
  readonly rows: readonly RedactedText[];
  readonly returned_count: number;
  readonly live_state: boolean;
}
