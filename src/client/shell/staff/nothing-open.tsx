import { ButtonLink } from '../../ui/button.tsx'
import { Plain } from '../plain.tsx'
import { urls } from '../urls.ts'
import styles from './nothing-open.module.css'

/** For whom even the own studio's start is shut: sending them on would only bring them back to it. */
export const NothingOpen = () => (
  <Plain title="This page is not open to you">
    <p>
      Your sign-in has none of the permissions it asks for; whoever looks after the studio’s staff can give you one.
    </p>
    <div className={styles.ways}>
      <ButtonLink href={urls.account()}>Your account</ButtonLink>
      <ButtonLink variant="secondary" href={urls.logout()}>
        Sign out
      </ButtonLink>
    </div>
  </Plain>
)
