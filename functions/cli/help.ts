/** What `--help` prints. */
export const HELP = `Diagnoses an incident and prints what was found, on what evidence.

  npm run diagnose -- [options]          diagnose the shipped incident
  npm run diagnose -- runs               list the runs kept on this machine
  npm run diagnose -- show RUN_ID        show one of them again
  npm run diagnose -- record RUN_ID      print the whole record of one, to keep or to hand on
  npm run diagnose -- help               this text
  npm run verify -- FILE|RUN_ID          check a record without trust in who wrote it

Options
  --incident NAME|DIR    a shipped incident, or a folder with incident.json, logs/,
                         mysql/ and knowledge/ (default: payment-timeout)
  --query TEXT           ask this instead of the incident's own question
  --follow RUN_ID        ask --query as a follow-up of a kept run
  --previous-turn FILE   the same from a file: an outcome, or {run_id, as_of, query,
                         conclusion, missing_info}; - reads standard input
  --json                 the outcome as one JSON object, and nothing else, on standard
                         output; progress goes to standard error
  --model KIND           offline   a small rule-based stand-in, no language model (default)
                         bedrock   Amazon Bedrock, with the AWS SDK's own settings
                         by-hand   you, or any program, answer through files
  --model-id ID          model id or inference profile, with --model bedrock
  --folder DIR           where by-hand leaves its questions
                         (default: a new folder in .diagnosis/by-hand)
  --data DIR             where runs are kept (default: .diagnosis in the project)
  -h, --help             this text

Exit codes
  0 completed   3 stopped under control   4 failed   2 wrong use
  verify: 0 it holds   1 any doubt   2 wrong use
`;
