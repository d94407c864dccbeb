import { inTransaction } from '#server/database/database.ts'
import { auditOrderError, type OrderErrorAction, type Refusal } from './decide-order-errors.ts'

const notAccepted = 'The mail server did not accept this email'

/**
 * Sends an email that was not delivered again under its own key: the entry of the mail log changes to sent, and a mailbox that got it after
 * all shows it once.
 */
export const retryEmail = async (action: OrderErrorAction): Promise<Refusal> => {
  const { deps, entry } = action
  const read = () => deps.db.selectFrom('mail_log').selectAll().where('id', '=', Number(entry.id)).executeTakeFirst()
  const mail = await read()
  if (!mail) return 'This email is no longer stored'
  if (mail.has_secrets) return 'Its link was secret and is not stored. Send it again from where it was sent'
  const { studio_id: studioId, kind, to_name: name, to_email: email, subject, body_text: text, body_html: html } = mail
  const about = { studioId, orderId: mail.order_id ?? undefined, kind }
  const key = mail.provider_reference
  if (text === '' || key === null) return 'The text of this email is no longer stored'
  try {
    await deps.mail.send({ key, ...about, to: { name, email }, subject, text, html: html ?? '', secrets: [] })
  } catch (error) {
    deps.log.warn({ err: error }, 'an email could not be sent again')
    return notAccepted
  }
  const sent = await read()
  if (sent?.state === 'failed') return notAccepted
  await inTransaction(deps.db, (tx) => auditOrderError(tx, action, { verb: 'retried' }))
  return undefined
}
