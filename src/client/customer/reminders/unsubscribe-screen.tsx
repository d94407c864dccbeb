import { useCallback, useEffect, useState } from 'react'
import type { Infer } from 'superstruct'
import { unsubscribe } from '#contract/customer/unsubscribe.ts'
import { isFinalFailure } from '#local/transport/failure-cause.ts'
import type { CallResult } from '#local/transport/request.ts'
import { callApi } from '#platform/api/api.ts'
import type { LinkRoute } from '#platform/urls.ts'
import { Button } from '#ui/button/button.tsx'
import { Loader } from '#ui/feedback/loader.tsx'
import { PlainPage } from '#ui/page/plain-page.tsx'

type Outcome = CallResult<Infer<(typeof unsubscribe)['answer']>>

/** The target of the link in a reminder: opening it ends the reminders of the studio to that address, without another tap. */
export const UnsubscribeScreen = ({ linkId }: LinkRoute) => {
  const [outcome, setOutcome] = useState<Outcome>()
  const send = useCallback(async () => {
    setOutcome(undefined)
    setOutcome(await callApi(unsubscribe, { body: { token: linkId } }))
  }, [linkId])
  useEffect(() => void send(), [send])
  if (!outcome) return <Loader label="Stopping your reminders" />
  if (outcome.ok)
    return (
      <PlainPage title="Reminders stopped">
        <p>
          {outcome.data.studioName} won’t send reminders to this address anymore, even if someone asks for them in a
          cart again. You can still get emails about your orders.
        </p>
      </PlainPage>
    )
  if (isFinalFailure(outcome))
    return (
      <PlainPage title="This link doesn’t work">
        <p>Part of it may be missing. Please open the link in the email again.</p>
      </PlainPage>
    )
  return (
    <PlainPage title="Not stopped yet">
      <p role="alert">{outcome.errors.join(' ')}</p>
      <Button onClick={() => void send()}>Try again</Button>
    </PlainPage>
  )
}
