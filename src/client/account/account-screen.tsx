import { useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { claimsAtom, session } from '../session/signed-in.ts'
import { Plain } from '../shell/plain.tsx'
import { urls } from '../shell/urls.ts'
import { ButtonLink } from '../ui/button.tsx'
import styles from './account-screen.module.css'
import { ThemeChoice } from './theme-choice.tsx'

/** The signed-in person: name, e-mail, how this device looks, and the way out. */
export const AccountScreen = () => {
  const claims = useAtomValue(claimsAtom)
  useEffect(() => {
    void session.token()
  }, [])
  if (!claims) return null
  return (
    <Plain title={claims.name}>
      <dl className={styles.facts}>
        <dt>Email</dt>
        <dd>{claims.email ?? 'None given'}</dd>
      </dl>
      <ThemeChoice />
      <div>
        <ButtonLink href={urls.logout()} variant="secondary">
          Sign out
        </ButtonLink>
      </div>
    </Plain>
  )
}
