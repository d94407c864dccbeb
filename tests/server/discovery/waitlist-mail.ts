import type { Deps } from '#server/deps.ts'
import { enqueueWaitlistEmails, sendWaitlistEmail, type WaitlistKey } from '#server/discovery/notify-waitlist.ts'

/** Collects the emails that the waitlist job enqueues; `sendDueMail` runs that job and sends them. */
export const collectWaitlistMail = (defaultDeps: Deps) => {
  const dueKeys: WaitlistKey[] = []
  const enqueue: Deps['jobs']['enqueue'] = async (_tx, name, payload) => {
    if (name === 'send-waitlist-email') dueKeys.push(payload as WaitlistKey) // the payload of this queue
  }
  const deps = { ...defaultDeps, jobs: { enqueue } }
  const sendDueMail = async () => {
    await enqueueWaitlistEmails(deps)
    for (const key of dueKeys.splice(0)) await sendWaitlistEmail(deps, key)
  }
  return { deps, dueKeys, sendDueMail }
}
