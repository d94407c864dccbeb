import { formatDate } from '#domain/shared/dates.ts'
import type { Deps } from '../deps.ts'
import { emailBodies, singleLine } from '../mail/email-body.ts'
import type { BackgroundJobs } from '../queue/background-jobs.ts'
import type { queues, StudioNews } from '../queue/queues.ts'

type News = { readonly subject: string; readonly text: string; readonly reasonLabel: string }

const newsTexts: Readonly<Record<StudioNews, (studio: string, deletesOn: string) => News>> = {
  verified: (studio) => ({
    subject: `${studio} is verified`,
    text: `${studio} is verified. Everything that needs it is open now.`,
    reasonLabel: 'Note',
  }),
  refused: (studio) => ({
    subject: `${studio} is not verified`,
    text: `The request to verify ${studio} was refused. You can send another from the studio’s profile.`,
    reasonLabel: 'Reason',
  }),
  disabled: (studio) => ({
    subject: `${studio} is disabled`,
    text: `${studio} is disabled: customers cannot open its pages, and its staff cannot work in it. Nothing was deleted.`,
    reasonLabel: 'Reason',
  }),
  enabled: (studio) => ({
    subject: `${studio} is open again`,
    text: `${studio} is enabled again. Customers and staff can use it as before.`,
    reasonLabel: 'Note',
  }),
  transferred: (studio) => ({
    subject: `${studio} has a new owner`,
    text: `You are now the owner of ${studio}: you see its revenue and manage its staff. Log in again to use it.`,
    reasonLabel: 'Note',
  }),
  'deletion-scheduled': (studio, deletesOn) => ({
    subject: `${studio} will be deleted on ${deletesOn}`,
    text:
      `${studio} will be deleted on ${deletesOn} with everything it stores: its events, images, orders and payments. ` +
      'Customers cannot order any more. Until then you can log in, and download all of your data in the studio’s settings.',
    reasonLabel: 'Reason',
  }),
  'deletion-cancelled': (studio) => ({
    subject: `${studio} will not be deleted`,
    text: `The deletion of ${studio} was cancelled. Everything is as it was before.`,
    reasonLabel: 'Note',
  }),
  deleting: (studio) => ({
    subject: `${studio} is being deleted`,
    text: `Everything that ${studio} stored is being deleted now. This cannot be undone.`,
    reasonLabel: 'Note',
  }),
  'export-ready': (studio) => ({
    subject: `The data of ${studio} is ready to download`,
    text: `The export of everything that ${studio} stores is ready. Log in, and download it in the studio’s settings within seven days.`,
    reasonLabel: 'Note',
  }),
}

/** Emails every owner of a studio. A retry has the same keys, so each email is sent once. */
export const sendStudioEmail = async (
  deps: Deps,
  { studioId, news, reason, at }: { studioId: number; news: StudioNews; reason: string; at: string },
): Promise<void> => {
  const owners = await deps.db
    .selectFrom('users as u')
    .innerJoin('studios as s', 's.id', 'u.studio_id')
    .select(['u.id', 'u.name', 'u.email', 's.name as studio', 's.deletes_at as deletesAt'])
    .where('s.id', '=', studioId)
    .where('u.role', '=', 'owner')
    .where('u.disabled_at', 'is', null)
    .orderBy('u.id')
    .execute()
  for (const { id, name, email, studio, deletesAt } of owners) {
    const { subject, text, reasonLabel } = newsTexts[news](studio, deletesAt ? formatDate(deletesAt) : '')
    await deps.mail.send({
      key: `studio ${news} ${studioId} ${id} ${at}`,
      studioId,
      kind: `studio-${news}`,
      to: { name: singleLine(name), email },
      subject: singleLine(subject),
      secrets: [],
      ...emailBodies([`${name}, this is about your studio.`, text, ...(reason ? [`${reasonLabel}: ${reason}`] : [])]),
    })
  }
}

export const startStudioEmailWorker = (jobs: BackgroundJobs<typeof queues>, deps: Deps): Promise<void> =>
  jobs.work('send-studio-email', 2, ({ payload }) => sendStudioEmail(deps, payload))
