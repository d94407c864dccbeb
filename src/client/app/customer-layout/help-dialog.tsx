import { confirmClearDevice } from '#client/customer/shared/confirm-clear-device.ts'
import { useOptionalJobContext } from '#client/customer/shared/job/job-context.tsx'
import styles from '#client/customer/shared/layout/layout.module.css'
import { contactLinks } from '#client/customer/shared/studio/contact-links.ts'
import type { CustomerStudio } from '#contract/customer/discovery-calls.ts'
import { type CustomerRoute, urls } from '#platform/urls.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'

type HelpDialogProps = { open: boolean; onClose: () => void; route: CustomerRoute; studio: CustomerStudio | null }

const signs = { phone: 'Call', email: 'Write to' } as const

/** Help on every screen: a lost code, a wrong or missing subject, and the studio's contact. */
export const HelpDialog = ({ open, onClose, route, studio }: HelpDialogProps) => {
  const event = useOptionalJobContext()
  // Some studios want no calls before an order; if the job is unknown, the contact is always shown.
  const isReachable = event?.preferences.contact ?? true
  const links = studio && isReachable ? contactLinks(studio) : []
  const searchable = !Number.isNaN(route.jobId)
  return (
    <Dialog open={open} onClose={onClose} title="Help" size="small">
      <div className={styles.help}>
        <section>
          <h3>I lost my code</h3>
          <p>
            It stands on the card your child brought home or in the e-mail about picture day. On this device you do not
            need it again; for another one, the studio can tell you.
          </p>
        </section>
        <section>
          <h3>This is not my child, or my child is missing</h3>
          <p>
            Search again by first and last name{event ? ` at ${event.job.organizationName}` : ''}. If the name is not
            there, the studio may have filed the pictures under another spelling.
          </p>
          {searchable && (
            <ButtonLink href={urls.subjectSearch(route)} variant="secondary" onClick={onClose}>
              Search again
            </ButtonLink>
          )}
        </section>
        <section>
          <h3>Ask {studio?.name ?? 'the studio'}</h3>
          {links.map(({ how, href, label }) => (
            <ButtonLink key={href} href={href} variant="quiet" className={styles.call}>
              {signs[how]} {label}
            </ButtonLink>
          ))}
          {links.length === 0 && <p>You find their phone number on the card or e-mail you were given.</p>}
        </section>
        <section>
          <h3>This is not my device</h3>
          <p>Finish here when you are done: your cart, pictures and codes leave this device.</p>
          <Button variant="secondary" onClick={() => void confirmClearDevice()}>
            Finish on this device
          </Button>
        </section>
      </div>
    </Dialog>
  )
}
