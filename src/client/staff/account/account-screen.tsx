import { useAtomValue } from 'jotai'
import { type Account, getAccount, type UserPreferences } from '#contract/studio/accounts.ts'
import { urls } from '#platform/urls.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { PlainPage } from '#ui/page/plain-page.tsx'
import { QueryBoundary } from '../kit/query/query-boundary.tsx'
import { usePreferences } from '../kit/query/use-preferences.ts'
import { useStaffQuery } from '../kit/query/use-staff-query.ts'
import { staffHomeUrl } from '../kit/routing/staff-home-url.ts'
import { claimsAtom } from '../kit/session/current-session.ts'
import { AccountNameForm } from './account-name-form.tsx'
import styles from './account-screen.module.css'
import { ChangePassword } from './change-password.tsx'
import { DisplayPreferencesForm } from './display-preferences-form.tsx'
import { ThemeChoice } from './theme-choice.tsx'

const roleWords = {
  administrator: 'Administrator of the platform',
  owner: 'Owner',
  staff: 'Staff',
} as const satisfies Record<Account['role'], string>

const AccountSummary = ({ account: { email, role, studioName } }: { account: Account }) => (
  <dl className={styles.facts}>
    <dt>Email</dt>
    <dd>{email}</dd>
    <dt>{studioName ?? 'Role'}</dt>
    <dd>{roleWords[role]}</dd>
  </dl>
)

const Preferences = ({ preferences }: { preferences: UserPreferences }) => (
  <>
    <ThemeChoice useDarkMode={preferences.useDarkMode} />
    <DisplayPreferencesForm preferences={preferences} />
  </>
)

/** The user's own account: name, display preferences, password, and sign-out. */
export const AccountScreen = () => {
  const claims = useAtomValue(claimsAtom)
  const account = useStaffQuery(getAccount)
  const { query: preferences } = usePreferences()
  const start = claims && staffHomeUrl(claims)
  return (
    <PlainPage title={account.data?.name ?? claims?.name ?? 'Account'}>
      {start && start !== urls.account() && (
        <div>
          <ButtonLink href={start}>{claims.studioId === null ? 'To the platform' : 'To the studio'}</ButtonLink>
        </div>
      )}
      <QueryBoundary query={account}>
        {(data) => (
          <>
            <AccountSummary account={data} />
            <section className={styles.part} aria-labelledby="account-name">
              <h2 id="account-name">Your name</h2>
              <AccountNameForm account={data} />
            </section>
          </>
        )}
      </QueryBoundary>
      <section className={styles.part} aria-labelledby="account-preferences">
        <h2 id="account-preferences">Preferences</h2>
        <QueryBoundary query={preferences}>{(data) => <Preferences preferences={data} />}</QueryBoundary>
      </section>
      <section className={styles.part} aria-labelledby="account-password">
        <h2 id="account-password">Password</h2>
        <ChangePassword />
      </section>
      <div>
        <ButtonLink href={urls.logout()} variant="secondary">
          Sign out
        </ButtonLink>
      </div>
    </PlainPage>
  )
}
