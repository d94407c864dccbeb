import { useAtomValue } from 'jotai'
import { Link, Redirect, useLocation } from 'wouter'
import { required } from '../../domain/validators.ts'
import { claimsAtom, signIn } from '../session/signed-in.ts'
import { Plain } from '../shell/plain.tsx'
import { staffUrls } from '../staff/staff-urls.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { TextInput } from '../ui/text-input.tsx'
import { followPreferences, wayInHere } from './enter.ts'
import styles from './sign-in.module.css'
import { useSending } from './use-sending.ts'

/** Said after a session ended by itself (section 8). */
export const sessionExpired = 'Session expired. Please log in again.'

const rules = { username: required<unknown>(), password: required<unknown>() }

export type LoginRoute = { ret?: string | undefined; expired: boolean }

/** The studios' door: signs in and goes where the person wanted to go. */
export const LoginScreen = ({ ret, expired }: LoginRoute) => {
  const [, navigate] = useLocation()
  const claims = useAtomValue(claimsAtom)
  const { fields, errors, loading, submit } = useSending<'username' | 'password', unknown>({
    rules,
    send: ({ username, password }) => signIn(username.trim(), password),
    done: () => {
      void followPreferences()
      navigate(wayInHere(ret), { replace: true })
    },
  })

  // Signed in already, here or in another tab.
  if (claims) return <Redirect to={wayInHere(ret)} replace />
  return (
    <Plain title="Studio Login">
      {expired && <Notice tone="attention">{sessionExpired}</Notice>}
      <Form onSubmit={submit} loading={loading} error={errors}>
        <Field label="Email" errors={fields.username}>
          <TextInput type="email" name="username" autoComplete="username" autoCapitalize="none" spellCheck={false} />
        </Field>
        <Field label="Password" errors={fields.password}>
          <TextInput type="password" name="password" autoComplete="current-password" />
        </Field>
        <Button type="submit" loading={loading} wide>
          Log in
        </Button>
      </Form>
      <ul className={styles.ways}>
        <li>
          <Link href={staffUrls.forgotPassword()}>Forgot your password?</Link>
        </li>
        <li>
          <Link href={staffUrls.setup()}>Set up a new studio</Link>
        </li>
      </ul>
    </Plain>
  )
}
