import { Notice } from '#ui/feedback/notice.tsx'
import { contactLinks } from '../studio/studio-contact.tsx'
import type { JobContextValue } from './job-context.tsx'

type OrderingUnavailableNoticeProps = { job: JobContextValue; totalCents: number }

/** Says up front why this cart cannot be ordered and what to do, before the customer fills in anything. */
export const OrderingUnavailableNotice = ({ job, totalCents }: OrderingUnavailableNoticeProps) => {
  const { closedReason, studio } = job
  // A free order needs no payment.
  if (closedReason === null && (job.job.acceptsCards !== false || totalCents === 0)) return null
  const [link] = contactLinks(studio)
  return (
    <Notice tone="attention" title={closedReason ?? `${studio.name} can’t take payments yet`}>
      What you chose is saved. Ask the studio{closedReason ? ' if you would still like to order' : ' when you can pay'}
      {link && (
        <>
          : <a href={link.href}>{link.label}</a>
        </>
      )}
      .
    </Notice>
  )
}
