import { Notice } from '../ui/notice.tsx'
import { contactLinks } from './contact-links.ts'
import type { CustomerEvent } from './event.tsx'

/** Why this cart cannot be ordered whatever is typed, and what to do: said before anything is typed. */
export const NoOrdering = ({ event: { closed, job, studio } }: { event: CustomerEvent }) => {
  if (closed === null && job.takesCards !== false) return null
  const [link] = contactLinks(studio)
  return (
    <Notice tone="attention" title={closed ?? `${studio.name} can’t take payments yet`}>
      What you chose is saved. Ask the studio{closed ? ' if you would still like to order' : ' when you can pay'}
      {link && (
        <>
          : <a href={link.href}>{link.words}</a>
        </>
      )}
      .
    </Notice>
  )
}
