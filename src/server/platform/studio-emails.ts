import { formatDate } from '#domain/shared/dates.ts'
import type { Deps } from '../deps.ts'
import { emailOwners } from '../mail/email-owners.ts'
import type { BackgroundJobs } from '../queue/background-jobs.ts'
import type { PayloadOf } from '../queue/queue.ts'
import type { queues, StudioNews } from '../queue/queues.ts'

type StudioEmail = PayloadOf<typeof queues, 'send-studio-email'>

type News = { readonly subject: string; readonly text: string; readonly reasonLabel: string }

type Names = {
  readonly studio: string
  /** The user that a change is about, and what they may do now. */
  readonly user: string
  readonly userMay: string
  readonly administrator: string
}

const newsTexts: Readonly<Record<StudioNews, (names: Names, deletesOn: string) => News>> = {
  verified: ({ studio }) => ({
    subject: `${studio} is verified`,
    text: `${studio} is verified. Everything that needs it is open now.`,
    reasonLabel: 'Note',
  }),
  refused: ({ studio }) => ({
    subject: `${studio} is not verified`,
    text: `The request to verify ${studio} was refused. You can send another from the studio’s profile.`,
    reasonLabel: 'Reason',
  }),
  disabled: ({ studio }) => ({
    subject: `${studio} is disabled`,
    text: `${studio} is disabled: customers cannot open its pages, and its staff cannot work in it. Nothing was deleted.`,
    reasonLabel: 'Reason',
  }),
  enabled: ({ studio }) => ({
    subject: `${studio} is open again`,
    text: `${studio} is enabled again. Customers and staff can use it as before.`,
    reasonLabel: 'Note',
  }),
  transferred: ({ studio }) => ({
    subject: `${studio} has a new owner`,
    text: `You are now the owner of ${studio}: you see its revenue and manage its staff. Log in again to use it.`,
    reasonLabel: 'Reason',
  }),
  'owner-replaced': ({ studio, user, administrator }) => ({
    subject: `${user} owns ${studio} now`,
    text:
      `${administrator}, who works for the platform, made ${user} the only owner of ${studio}. You work there as staff now. ` +
      'If you did not agree to this, ask the platform’s administrators to undo it.',
    reasonLabel: 'Reason',
  }),
  'user-changed': ({ studio, user, userMay, administrator }) => ({
    subject: `${user} ${userMay} at ${studio} now`,
    text: `${administrator}, who works for the platform, changed what ${user} may do: ${user} ${userMay} at ${studio} now.`,
    reasonLabel: 'Note',
  }),
  'user-removed': ({ studio, user, administrator }) => ({
    subject: `${user} does not work at ${studio} any more`,
    text: `${administrator}, who works for the platform, removed ${user} from ${studio}.`,
    reasonLabel: 'Note',
  }),
  'deletion-scheduled': ({ studio }, deletesOn) => ({
    subject: `${studio} will be deleted on ${deletesOn}`,
    text:
      `${studio} will be deleted on ${deletesOn} with everything it stores: its events, images, orders and payments. ` +
      'Customers cannot order any more. Until then you can log in, and download all of your data in the studio’s settings.',
    reasonLabel: 'Reason',
  }),
  'deletion-cancelled': ({ studio }) => ({
    subject: `${studio} will not be deleted`,
    text: `The deletion of ${studio} was cancelled. Everything is as it was before.`,
    reasonLabel: 'Note',
  }),
  deleting: ({ studio }) => ({
    subject: `${studio} is being deleted`,
    text: `Everything that ${studio} stored is being deleted now. This cannot be undone.`,
    reasonLabel: 'Note',
  }),
  'export-ready': ({ studio }) => ({
    subject: `The data of ${studio} is ready to download`,
    text: `The export of everything that ${studio} stores is ready. Log in, and download it in the studio’s settings within seven days.`,
    reasonLabel: 'Note',
  }),
}

type Change = NonNullable<StudioEmail['change']>

/** The names of the people in a change of users; empty without a change. */
const readChange = async ({ db }: Pick<Deps, 'db'>, change: Change | undefined): Promise<Omit<Names, 'studio'>> => {
  const users = db.selectFrom('users').select(['id', 'name', 'email', 'role', 'disabled_at as disabledAt'])
  const found = change ? await users.where('id', 'in', [change.userId, change.administratorId]).execute() : []
  const [user, administrator] = [change?.userId, change?.administratorId].map((id) =>
    found.find((row) => row.id === id),
  )
  const may = user?.disabledAt ? 'may not sign in' : user?.role === 'owner' ? 'is an owner' : 'is staff'
  const nameOf = (row: typeof user): string => row?.name || row?.email || ''
  return { user: nameOf(user), userMay: may, administrator: nameOf(administrator) }
}

/** Emails every owner of a studio, or those who owned it before a change. */
export const sendStudioEmail = async (
  deps: Deps,
  { studioId, news, reason, at, change }: StudioEmail,
): Promise<void> => {
  const studio = await deps.db
    .selectFrom('studios')
    .select(['name', 'deletes_at as deletesAt'])
    .where('id', '=', studioId)
    .executeTakeFirst()
  if (!studio) return
  const { name, deletesAt } = studio
  const names = { studio: name, ...(await readChange(deps, change)) }
  const { subject, text, reasonLabel } = newsTexts[news](names, deletesAt ? formatDate(deletesAt) : '')
  await emailOwners(deps, studioId, {
    key: `studio ${news} ${studioId} ${at}`,
    kind: `studio-${news}`,
    subject,
    paragraphs: [text, ...(reason ? [`${reasonLabel}: ${reason}`] : [])],
    recipientIds: change?.formerOwnerIds,
  })
}

export const startStudioEmailWorker = (jobs: BackgroundJobs<typeof queues>, deps: Deps): Promise<void> =>
  jobs.work('send-studio-email', 2, ({ payload }) => sendStudioEmail(deps, payload))
