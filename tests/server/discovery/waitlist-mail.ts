import type { Deps } from '#server/deps.ts'
import { enqueueWaitlistEmails, sendWaitlistEmail, type WaitlistKey } from '#server/discovery/notify-waitlist.ts'

/** Holds back the e-mails that the waitlist job enqueues; `mailDue` runs that job and sends them. */
export const holdWaitingMail = (plain: Deps) => {
  const toMail: WaitlistKey[] = []
  const enqueue: Deps['jobs']['enqueue'] = async (_tx, name, payload) => {
    if (name === 'send-waitlist-email') toMail.push(payload as WaitlistKey) // a queue's own payload, by its name
  }
  const deps = { ...plain, jobs: { enqueue } }
  const mailDue = async () => {
    await enqueueWaitlistEmails(deps)
    for (const key of toMail.splice(0)) await sendWaitlistEmail(deps, key)
  }
  return { deps, toMail, mailDue }
}
