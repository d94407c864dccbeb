import { useAtomValue } from 'jotai'
import { type Account, getAccount, type UserPreferences } from '#contract/studio/accounts.ts'
import { urls } from '#platform/urls.ts'
import { ButtonLink } from '#ui/button/button.tsx'
import { PlainPage } from '#ui/page/plain-page.tsx'
import { QueryBoundary } from '../kit/query/query-boundary.tsx'
import { usePreferences, useStaffQuery } from '../kit/query/use-staff-query.ts'
import { staffHomeUrl } from '../kit/routing/staff-home-url.ts'
import { StaffScreen } from '../kit/screen/staff-screen.tsx'
import { claimsAtom } from '../kit/session/current-session.ts'
import { AccountNameForm } from './account-name-form.tsx'
import styles from './account-screen.module.css'
import { ChangePassword } from './change-password.tsx'
import { DisplayPreferencesForm } from './display-preferences-form.tsx'
import { ThemeChoice } from './theme-choice.tsx'
import { TwoFactorSection } from './two-factor/two-factor-section.tsx'

const roleLabels = {
  administrator: 'Administrator of the platform',
  owner: 'Owner',
  staff: 'Staff',
} as const satisfies Record<Account['role'], string>

const AccountSummary = ({ account: { email, role, studioName } }: { account: Account }) => (
  <dl className={styles.facts}>
    <dt>Email</dt>
    <dd>{email}</dd>
    <dt>{studioName ?? 'Role'}</dt>
    <dd>{roleLabels[role]}</dd>
  </dl>
)

const Preferences = ({ preferences }: { preferences: UserPreferences }) => (
  <>
    <ThemeChoice useDarkMode={preferences.useDarkMode} />
    <DisplayPreferencesForm preferences={preferences} />
  </>
)

const AccountSections = () => {
  const query = useStaffQuery(getAccount)
  const { query: preferencesQuery } = usePreferences()
  return (
    <>
      <QueryBoundary query={query}>
        {(account) => (
          <>
            <AccountSummary account={account} />
            <section className={styles.section} aria-labelledby="account-name">
              <h2 id="account-name">Your name</h2>
              <AccountNameForm account={account} />
            </section>
          </>
        )}
      </QueryBoundary>
      <section className={styles.section} aria-labelledby="account-preferences">
        <h2 id="account-preferences">Preferences</h2>
        <QueryBoundary query={preferencesQuery}>
          {(preferences) => <Preferences preferences={preferences} />}
        </QueryBoundary>
      </section>
      <section className={styles.section} aria-labelledby="account-password">
        <h2 id="account-password">Password</h2>
        <ChangePassword />
      </section>
      <section className={styles.section} aria-labelledby="account-two-factor">
        <h2 id="account-two-factor">Two-factor sign-in and passkeys</h2>
        <TwoFactorSection />
      </section>
      <div>
        <ButtonLink href={urls.logout()} variant="secondary">
          Sign out
        </ButtonLink>
      </div>
    </>
  )
}

/** The user's own account: name, display preferences, password, two-factor sign-in, and sign-out. */
export const AccountScreen = () => {
  const claims = useAtomValue(claimsAtom)
  const query = useStaffQuery(getAccount)
  const homeUrl = claims && staffHomeUrl(claims)
  return (
    <PlainPage title={query.data?.name ?? claims?.name ?? 'Account'}>
      {homeUrl && homeUrl !== urls.account() && (
        <div>
          <ButtonLink href={homeUrl}>{claims.studioId === null ? 'Go to admin' : 'Go to studio'}</ButtonLink>
        </div>
      )}
      <AccountSections />
    </PlainPage>
  )
}

/** The same for an administrator, within the platform's navigation. */
export const AdministratorProfileScreen = () => (
  <StaffScreen title="Profile">
    <div className={styles.column}>
      <AccountSections />
    </div>
  </StaffScreen>
)
