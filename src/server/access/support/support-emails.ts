import { reasonHours } from '#domain/studio/support-access.ts'
import type { Deps } from '#server/deps.ts'
import { emailOwners } from '#server/mail/email-owners.ts'
import type { BackgroundJobs } from '#server/queue/background-jobs.ts'
import type { PayloadOf } from '#server/queue/queue.ts'
import type { queues } from '#server/queue/queues.ts'

type SupportNews = PayloadOf<typeof queues, 'send-support-email'>

type Names = { readonly administrator: string; readonly studio: string }

const newsTexts: Readonly<Record<SupportNews['news'], (names: Names) => { subject: string; text: string }>> = {
  asked: ({ administrator, studio }) => ({
    subject: `${administrator} asks for access to ${studio}`,
    text: `${administrator}, who works for the platform, asks to see the data of ${studio}. You decide for how long, and whether changes are allowed:`,
  }),
  opened: ({ administrator, studio }) => ({
    subject: `${administrator} has access to ${studio}`,
    text: `${administrator}, who works for the platform, can read the data of ${studio} for ${reasonHours} hour. Changes are not allowed, and images of children are blurred. You can end it here:`,
  }),
}

/** Emails every owner of a studio that an administrator asks for access or has it. */
export const sendSupportEmail = async (deps: Deps, { studioId, accessId, news }: SupportNews): Promise<void> => {
  const access = await deps.db
    .selectFrom('support_accesses as a')
    .innerJoin('studios as s', 's.id', 'a.studio_id')
    .innerJoin('users as w', 'w.id', 'a.administrator_id')
    .select(['s.name as studio', 'w.name as administrator', 'a.reason'])
    .where('a.studio_id', '=', studioId)
    .where('a.id', '=', accessId)
    .executeTakeFirst()
  if (!access) return
  const { subject, text } = newsTexts[news](access)
  await emailOwners(deps, studioId, {
    key: `support ${news} ${studioId} ${accessId}`,
    kind: `support-${news}`,
    subject,
    paragraphs: [
      text,
      { link: `${deps.address()}/admin/studios/${studioId}/settings/support-access` },
      `Reason: ${access.reason}`,
    ],
  })
}

export const startSupportEmailWorker = (jobs: BackgroundJobs<typeof queues>, deps: Deps): Promise<void> =>
  jobs.work('send-support-email', 2, ({ payload }) => sendSupportEmail(deps, payload))
