import type { Deps } from '../deps.ts'
import { emailBodies, type Paragraph, singleLine } from './email-body.ts'

type OwnersEmail = {
  /** Idempotency key of the email, to which the id of each owner is added. */
  readonly key: string
  readonly kind: string
  readonly subject: string
  /** The paragraphs after the greeting. */
  readonly paragraphs: readonly Paragraph[]
  /** Emails these users of the studio instead, if they were not removed. */
  readonly recipientIds?: readonly number[] | undefined
}

/** Emails every owner of a studio who may sign in, or the recipients. A retry has the same keys, so each email is sent once. */
export const emailOwners = async (
  { db, mail }: Pick<Deps, 'db' | 'mail'>,
  studioId: number,
  { key, kind, subject, paragraphs, recipientIds }: OwnersEmail,
): Promise<void> => {
  const users = db.selectFrom('users').select(['id', 'name', 'email']).where('studio_id', '=', studioId).orderBy('id')
  const recipients = recipientIds
    ? users.where('id', 'in', [...recipientIds]).where('removed_at', 'is', null)
    : users.where('role', '=', 'owner').where('disabled_at', 'is', null)
  for (const { id, name, email } of await recipients.execute())
    await mail.send({
      key: `${key} ${id}`,
      studioId,
      kind,
      to: { name: singleLine(name), email },
      subject: singleLine(subject),
      secrets: [],
      ...emailBodies([`${name}, this is about your studio.`, ...paragraphs]),
    })
}
