import { useState } from 'react'
import { Link } from 'wouter'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { sendTestMail } from '#contract/system/configuration.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'

/** A mail server that does not respond is given up after three timeouts of fifteen seconds. */
const timeoutMs = 60_000

type TestResult = { to: string; state: 'kept' | 'sent' | 'failed'; answer: string | null }

const titles: Readonly<Record<TestResult['state'], (to: string) => string>> = {
  sent: (to) => `Sent to ${to}`,
  failed: (to) => `The email to ${to} was not sent`,
  kept: (to) => `The email to ${to} is only in the log`,
}

const ResultNotice = ({ result: { to, state, answer } }: { result: TestResult }) => (
  <Notice tone={state === 'sent' ? 'success' : 'attention'} title={titles[state](to)}>
    {answer === null ? (
      <Link href={staffUrls.admin('system/sendgrid-logs')}>Log of emails</Link>
    ) : (
      `The mail server answered: ${answer}`
    )}
  </Notice>
)

/** Sends an email to the administrator, and shows what the mail server answered. */
export const TestMail = ({ sendsMail }: { sendsMail: boolean }) => {
  const { mutate, busy } = useStaffMutation(sendTestMail)
  const [result, setResult] = useState<TestResult | null>(null)
  const send = async () => {
    setResult(null)
    const answer = await mutate({ body: {}, timeoutMs })
    if (answer.ok) setResult(answer.data)
  }
  return (
    <>
      {!sendsMail && <p>This server sends no emails (MAIL=log). They are only in the log of emails.</p>}
      <div>
        <Button variant="secondary" loading={busy} onClick={() => void send()}>
          Send a test email to me
        </Button>
      </div>
      {result && <ResultNotice result={result} />}
    </>
  )
}
