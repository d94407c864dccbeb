import { confirmClearDevice } from '#client/customer/shared/confirm-clear-device.ts'
import { useOptionalJobContext } from '#client/customer/shared/job/job-context.tsx'
import styles from '#client/customer/shared/layout/layout.module.css'
import { contactLinks } from '#client/customer/shared/studio/studio-contact.tsx'
import type { CustomerStudio } from '#contract/customer/discovery-calls.ts'
import { type CustomerRoute, urls } from '#platform/urls.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'

type HelpDialogProps = { open: boolean; onClose: () => void; route: CustomerRoute; studio: CustomerStudio | null }

const contactVerbs = { phone: 'Call', email: 'Email' } as const

/** Help on every screen: a lost code, a wrong or missing subject, and the studio's contact. */
export const HelpDialog = ({ open, onClose, route, studio }: HelpDialogProps) => {
  const job = useOptionalJobContext()
  // Some studios do not want to be contacted before an order. If the job is unknown, the contact is always shown.
  const showsContact = job?.preferences.contact ?? true
  const links = studio && showsContact ? contactLinks(studio) : []
  const canSearch = !Number.isNaN(route.jobId)
  return (
    <Dialog open={open} onClose={onClose} title="Help" size="small">
      <div className={styles.help}>
        <section>
          <h3>I lost my code</h3>
          <p>
            It’s printed on the card your child brought home and in the picture day email. You won’t need it again on
            this device. The studio can resend it.
          </p>
        </section>
        <section>
          <h3>This is not my child, or my child is missing</h3>
          <p>
            Search again by first and last name{job ? ` at ${job.job.organizationName}` : ''}. If you don’t see the
            name, it may be spelled differently.
          </p>
          {canSearch && (
            <ButtonLink href={urls.subjectSearch(route)} variant="secondary" onClick={onClose}>
              Search again
            </ButtonLink>
          )}
        </section>
        <section>
          <h3>Ask {studio?.name ?? 'the studio'}</h3>
          {links.map(({ how, href, label }) => (
            <ButtonLink key={href} href={href} variant="quiet" className={styles.call}>
              {contactVerbs[how]} {label}
            </ButtonLink>
          ))}
          {links.length === 0 && <p>Their phone number is on your card or email.</p>}
        </section>
        <section>
          <h3>This is not my device</h3>
          <p>Finish here when you’re done, to clear your cart, photos and codes.</p>
          <Button variant="secondary" onClick={() => void confirmClearDevice()}>
            Finish on this device
          </Button>
        </section>
      </div>
    </Dialog>
  )
}
