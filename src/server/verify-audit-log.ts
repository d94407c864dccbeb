import { verifyAuditLog } from './audit/audit-chain.ts'
import { InvalidSetting } from './env-variables.ts'
import { runCommand } from './run-command.ts'

const problemTexts = { changed: 'was changed', missing: 'does not follow the entry that was before it' } as const

await runCommand({ env: process.env, parameters: process.argv.slice(2) }, () => async ({ db }) => {
  const { sealed, unsealed, last, findings } = await verifyAuditLog({ db })
  const lines = findings.map(({ position, problem }) => `Entry ${position} ${problemTexts[problem]}`)
  if (lines.length > 0) throw new InvalidSetting(`The audit trail was tampered with:\n${lines.join('\n')}`)
  return `The audit trail is complete: ${sealed} entries, and ${unsealed} new ones. The last one is ${last.position}, with hash ${last.hash}\n`
})
