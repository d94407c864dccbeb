import type { Infer } from 'superstruct'
import type { sendTestMail as sendTestMailCall } from '#contract/system/configuration.ts'
import type { User } from '#server/access/tokens/access-token.ts'
import type { Deps } from '#server/deps.ts'
import { emailBodies, singleLine } from '#server/mail/email-body.ts'

type TestMailResult = Infer<(typeof sendTestMailCall)['answer']>

/** Sends an email to an administrator by the configured mail server. Returns what that answered, also if it failed. */
export const sendTestMail = async (deps: Deps, { name, email }: User): Promise<TestMailResult> => {
  const key = `test ${deps.newId()}`
  const send = () =>
    deps.mail.send({
      ...{ key, studioId: null, kind: 'test', to: { name: singleLine(name), email }, secrets: [] },
      subject: 'Test of the email settings',
      ...emailBodies([
        `${name}, this is a test of the email settings.`,
        'If you can read it, emails reach you. You need not answer.',
      ]),
    })
  const answer = await send().catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
  const { state, error } = await deps.db
    .selectFrom('mail_log')
    .select(['state', 'error'])
    .where('studio_id', 'is', null)
    .where('provider_reference', '=', key)
    .executeTakeFirstOrThrow()
  return { to: email, state: state === 'waiting' ? 'failed' : state, answer: error ?? answer ?? null }
}
