import { urls } from '../shell/urls.ts'
import { ButtonLink } from '../ui/button.tsx'
import styles from './layout.module.css'

/** The customer not-found screen: an address of a studio that leads to no event of its. */
export const CustomerNotFound = ({ studioSlug }: { studioSlug: string }) => (
  <div className={styles.message}>
    <h1>We could not find this page</h1>
    <p>The link may be old or incomplete. Your code always leads to the right place.</p>
    <div>
      <ButtonLink href={urls.customerStudio({ studioSlug })}>Enter your code</ButtonLink>
    </div>
  </div>
)
