type Reachable = { phone: string | null; email: string | null }

/** A studio's contacts: label and link. */
export const contactLinks = ({
  phone,
  email,
}: Reachable): { href: string; words: string; how: 'phone' | 'email' }[] => {
  const links: { href: string; words: string; how: 'phone' | 'email' }[] = []
  if (phone) links.push({ how: 'phone', href: `tel:${phone.replace(/[^\d+]/g, '')}`, words: phone })
  if (email) links.push({ how: 'email', href: `mailto:${email}`, words: email })
  return links
}
