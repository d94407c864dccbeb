import { urls } from '#platform/urls.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { PlainPage } from '#ui/page/plain-page.tsx'
import styles from './no-access-screen.module.css'

/** Shown to users who may not see even their own studio's home screen. A redirect there would loop. */
export const NoAccessScreen = () => (
  <PlainPage title="This page is not open to you">
    <p>
      Your sign-in has none of the permissions it asks for; whoever looks after the studio’s staff can give you one.
    </p>
    <div className={styles.ways}>
      <ButtonLink href={urls.account()}>Your account</ButtonLink>
      <ButtonLink variant="secondary" href={urls.logout()}>
        Sign out
      </ButtonLink>
    </div>
  </PlainPage>
)
