import styles from './studio-contact.module.css'

type Contact = { phone: string | null; email: string | null }

/** A studio's contacts: label and link. */
export const contactLinks = ({ phone, email }: Contact): { href: string; label: string; how: 'phone' | 'email' }[] => {
  const links: { href: string; label: string; how: 'phone' | 'email' }[] = []
  if (phone) links.push({ how: 'phone', href: `tel:${phone.replace(/[^\d+]/g, '')}`, label: phone })
  if (email) links.push({ how: 'email', href: `mailto:${email}`, label: email })
  return links
}

/** The studio's phone number and e-mail address, as links. */
export const StudioContact = ({ studio }: { studio: Contact }) => {
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
