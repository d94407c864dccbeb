import type { JobContact } from '#contract/customer/discovery-calls.ts'
import { contactLinks } from '../shared/studio/contact-links.ts'
import styles from './checkout.module.css'

/** The studio's contact for questions at this job's checkout. */
export const CheckoutContact = ({ contact }: { contact: JobContact }) => {
  const who = [contact.name, contact.title].filter((words) => words !== '').join(', ')
  return (
    <section className={styles.asked} aria-label="Questions">
      <p>Questions about this event? {who ? `Ask ${who}:` : 'Ask here:'}</p>
      <ul>
        {contactLinks(contact).map(({ href, words }) => (
          <li key={href}>
            <a href={href}>{words}</a>
          </li>
        ))}
      </ul>
    </section>
  )
}
