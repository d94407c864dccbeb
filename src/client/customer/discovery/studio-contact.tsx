import { contactLinks } from '../shared/studio/contact-links.ts'
import styles from './studio/studio-screen.module.css'

type ContactProps = { studio: { name: string; phone: string | null; email: string | null } }

/** The studio's phone number and e-mail address, as links. */
export const StudioContact = ({ studio }: ContactProps) => {
  const links = contactLinks(studio)
  if (links.length === 0) return null
  return (
    <ul className={styles.contact}>
      {links.map(({ href, label }) => (
        <li key={href}>
          <a href={href}>{label}</a>
        </li>
      ))}
    </ul>
  )
}
