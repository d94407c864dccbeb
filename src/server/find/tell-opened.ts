import { sql } from 'kysely'
import type { OrderMethod } from '../../domain/catalogue.ts'
import { type OpeningRow, openingColumns, openingOf } from '../admission/opening.ts'
import type { Deps } from '../deps.ts'

type Waiting = OpeningRow & {
  studio_id: number
  id: number
  email: string
  order_method: OrderMethod | null
  job_id: number
  job_name: string
  studio_name: string
  slug: string
}

/** A mail each time, so that one address that cannot be written to holds up nobody else's. */
const most = 500

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** What is written to whoever asked to be told. The link leads to the event. */
const openedMail = ({ job_name: event, studio_name: studio, slug, job_id: jobId }: Waiting, publicUrl: string) => {
  const link = `${publicUrl}/${slug}/${jobId}`
  const sentence = `You can order for ${event} by ${studio} now. You asked us to tell you; this is the only mail about it.`
  return {
    subject: `${event} is open`.replace(/\s+/g, ' ').trim(),
    text: `${sentence}\n\n${link}`,
    html: `<!doctype html><html lang="en"><body><p>${escaped(sentence)}</p><p><a href="${escaped(link)}">${escaped(link)}</a></p></body></html>`,
  }
}

/** Mails everybody who waits for an event that takes orders by now, each once: the message's key is the wish itself. */
export const tellOpened = async (deps: Deps): Promise<void> => {
  const now = deps.clock()
  const { rows } = await sql<Waiting>`
    select w.studio_id, w.id, w.email, w.order_method, w.job_id, j.name as job_name, s.name as studio_name, s.slug,
           ${openingColumns(now)}
      from notify_me w
      join jobs j on j.studio_id = w.studio_id and j.id = w.job_id
      join studios s on s.id = w.studio_id
     where w.notified_at is null and j.archived_at is null and (j.prepay_enabled or j.gallery_enabled)
     order by w.id limit ${most}`.execute(deps.db)
  for (const waiting of rows) {
    const opening = openingOf(waiting, now)
    const methods = waiting.order_method === null ? (['prepay', 'gallery'] as const) : [waiting.order_method]
    if (!methods.some((method) => opening[method].available)) continue
    const { studio_id: studioId, id, email } = waiting
    await deps.mail.send({
      key: `event-opened ${studioId} ${id}`,
      studioId,
      kind: 'event-opened',
      to: { name: '', email },
      ...openedMail(waiting, deps.settings.publicUrl ?? ''),
    })
    await deps.db
      .updateTable('notify_me')
      .set({ notified_at: now })
      .where('studio_id', '=', studioId)
      .where('id', '=', id)
      .execute()
  }
}
