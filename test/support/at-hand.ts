import type { AtHand } from '../../functions/cli/verification/verify-record.ts';
import { loadPlaybooks } from '../../functions/diagnosis/agent/playbooks.ts';
import { loadQueryCatalog } from '../../functions/diagnosis/tools/query-mysql/query-catalog.ts';

/** What a verification has in this checkout; no raw results unless a test names them. */
export async function atHand(rawOf: AtHand['rawOf'] = null): Promise<AtHand> {
  return {
    playbooks: loadPlaybooks('skills'),
    catalog: await loadQueryCatalog({ playbooksFolder: 'skills' }),
    rawOf,
  };
}
