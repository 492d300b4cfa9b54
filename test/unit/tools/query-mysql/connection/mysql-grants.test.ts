import { describe, expect, it } from 'vitest';
import { canWrite } from '../../../../../functions/diagnosis/tools/query-mysql/connection/mysql-grants.ts';

describe('grants of a user who only reads', () => {
  it.each([
    ['GRANT USAGE ON *.* TO `d`@`%`'],
    ['GRANT PROCESS, REPLICATION CLIENT ON *.* TO `d`@`%`'],
    ['GRANT SELECT, SHOW VIEW ON `shop`.* TO `d`@`%`'],
    ['GRANT SELECT (`id`, `status`) ON `shop`.`orders` TO `d`@`%`'],
    ['GRANT EXECUTE ON `sys`.* TO `d`@`%`'],
    ['GRANT EXECUTE ON FUNCTION `sys`.`format_bytes` TO `d`@`%`'],
    ['GRANT SHOW_ROUTINE ON *.* TO `d`@`%`'],
    ['GRANT `reader`@`%` TO `d`@`%`'],
    ["GRANT PROCESS, BINLOG MONITOR ON *.* TO `d`@`%` IDENTIFIED BY PASSWORD '*2470C0C06DEE42FD'"],
    ['GRANT SELECT ON `grant option`.* TO `d`@`%`'],
  ])('%s', (grant) => {
    expect(canWrite([grant])).toBe(false);
  });
});

describe('grants of a user who can do more', () => {
  it.each([
    ['GRANT ALL PRIVILEGES ON *.* TO `root`@`localhost` WITH GRANT OPTION'],
    ['GRANT SELECT, INSERT ON `shop`.* TO `d`@`%`'],
    ['GRANT SELECT (`id`), UPDATE (`status`) ON `shop`.`orders` TO `d`@`%`'],
    ['GRANT SELECT ON `shop`.* TO `d`@`%` WITH GRANT OPTION'],
    ['GRANT EXECUTE ON `shop`.* TO `d`@`%`'],
    ['GRANT EXECUTE ON PROCEDURE `shop`.`pay` TO `d`@`%`'],
    ['GRANT FILE ON *.* TO `d`@`%`'],
    ['GRANT CREATE TEMPORARY TABLES, LOCK TABLES ON `shop`.* TO `d`@`%`'],
    ['GRANT SYSTEM_VARIABLES_ADMIN ON *.* TO `d`@`%`'],
    ["GRANT PROXY ON ''@'%' TO 'root'@'localhost' WITH GRANT OPTION"],
    ['something that is no grant'],
  ])('%s', (grant) => {
    expect(canWrite(['GRANT USAGE ON *.* TO `d`@`%`', grant])).toBe(true);
  });
});
