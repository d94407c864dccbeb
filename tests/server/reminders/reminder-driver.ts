import { onTestFinished } from 'vitest'
import { smtpMail } from '#server/adapters/mail-smtp.ts'
import type { Database } from '#server/database/database.ts'
import type { Deps } from '#server/deps.ts'
import { type DueReminder, enqueueReminders, sendReminder } from '#server/reminders/reminder-workers.ts'
import { smtpSink } from '#support/server/smtp-sink.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { type CartFixtures, cartClient } from '../carts/cart-fixtures.ts'
import { readyToPay } from '../payments/checkout-driver.ts'

const longLife = new Date('2040-01-01T00:00:00Z')

/** The body of a mail as it was written: quoted-printable lines joined and decoded. */
const decodeMail = (raw: string): string => {
  const bytes = raw
    .replace(/=\r?\n/g, '')
    .replace(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** A customer with a complete gallery cart, a real SMTP server, and the background job by hand. */
export const reminderDriver = async (database: Database) => {
  const time = manualClock()
  const sink = await smtpSink()
  const readSender = async () => ({ name: 'Fieldproof', address: 'orders@fieldproof.test', replyTo: '' })
  const mail = smtpMail({ db: database.db, clock: time.clock }, { url: sink.url, readSender })
  onTestFinished(async () => {
    mail.close()
    await sink.close()
  })
  const due: DueReminder[] = []
  const enqueue: Deps['jobs']['enqueue'] = async (_tx, name, payload) => {
    if (name === 'send-reminder') due.push(payload as DueReminder) // the payload of this queue
  }
  const deps = testDeps(database, { clock: time.clock, mail, jobs: { enqueue } })
  const app = await testApp(deps)
  const checkout = await readyToPay(deps, app)
  const { fixtures, driver } = checkout
  const { studioId, jobId } = fixtures
  await deps.db.updateTable('customer_sessions').set({ expires_at: longLife }).execute()

  const setJob = (columns: object) => deps.db.updateTable('jobs').set(columns).where('id', '=', jobId).execute()
  const setStudio = (columns: object) =>
    deps.db.updateTable('studios').set(columns).where('id', '=', studioId).execute()
  const cartId = async (orderMethod: 'gallery' | 'prepay' = 'gallery') => (await driver.cart(orderMethod)).id ?? 0
  const optIn = async (kinds: readonly string[], { email = 'grace@example.com', id = 0 } = {}) =>
    await request('PUT', 'cart/reminder', { cartId: id || (await cartId()), email, kinds })

  const requestAs = (headers: object) => async (method: 'GET' | 'PUT' | 'DELETE', path: string, payload?: object) => {
    const url = `/api/customer/jobs/${jobId}/${path}`
    const answer = await app.inject({ method, url, headers: { ...headers }, ...(payload && { payload }) })
    const { data, problem, fields } = answer.json()
    return { status: answer.statusCode, data, problem, fields }
  }
  const request = requestAs(checkout.session.headers)

  /** Runs the scheduled job, without sending what it found. */
  const enqueueDue = () => enqueueReminders(deps)
  const sendEnqueued = async () => {
    for (const reminder of due.splice(0)) await sendReminder(deps, reminder)
  }
  const mails = () => sink.delivered.map(({ to, raw }) => ({ to: to[0] ?? '', text: decodeMail(raw) }))
  /** Runs the job and sends. Returns the subjects of the new mails. */
  const run = async () => {
    const before = sink.delivered.length
    await enqueueDue()
    await sendEnqueued()
    return mails()
      .slice(before)
      .map(({ text }) => /^Subject: (.*(?:\r?\n .*)*)/m.exec(text)?.[1]?.replace(/\r?\n /g, ' ') ?? '')
  }
  const advanceHours = (hours: number) => time.advance(hours * 60 * 60 * 1000)
  return {
    ...{ deps, app, checkout, fixtures, driver, studioId, jobId, setJob, setStudio, cartId, optIn, request, requestAs },
    ...{ enqueueDue, sendEnqueued, run, mails, due, clock: time.clock, advanceHours },
  }
}

type ReminderDriver = Awaited<ReturnType<typeof reminderDriver>>

/** Another session's client in the same job. */
export const otherVisitor = async ({ app, deps }: Pick<ReminderDriver, 'app' | 'deps'>, fixtures: CartFixtures) => {
  const session = await fixtures.enter()
  await deps.db.updateTable('customer_sessions').set({ expires_at: longLife }).execute()
  return { session, client: cartClient(app, fixtures, session) }
}
