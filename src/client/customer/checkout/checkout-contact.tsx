import type { JobContact } from '#contract/customer/discovery-calls.ts'
import { contactLinks } from '../shared/studio/studio-contact.tsx'
import styles from './checkout.module.css'

/** The studio's contact for questions at this job's checkout. */
export const CheckoutContact = ({ contact }: { contact: JobContact }) => {
  const name = [contact.name, contact.title].filter((label) => label !== '').join(', ')
  return (
    <section className={styles.contact} aria-label="Questions">
      <p>Questions about this event? {name ? `Ask ${name}:` : 'Ask here:'}</p>
      <ul>
        {contactLinks(contact).map(({ href, label }) => (
          <li key={href}>
            <a href={href}>{label}</a>
          </li>
        ))}
      </ul>
    </section>
  )
}
