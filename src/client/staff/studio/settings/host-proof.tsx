import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { checkHost, type StudioHost } from '#contract/studio/hosts.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { toast } from '#ui/toast/toast.ts'
import styles from './hosts-panel.module.css'

const dayOf = (instant: string): string => new Date(instant).toLocaleDateString('en-US', { dateStyle: 'medium' })
const timeOf = (instant: string): string =>
  new Date(instant).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' })

/** A value to enter elsewhere, with a button that copies it. */
const CopyableValue = ({ label, text }: { label: string; text: string }) => {
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    toast(`${label} copied`)
  }
  return (
    <div className={styles.value}>
      <span>{label}:</span>
      <code>{text}</code>
      <Button variant="quiet" size="sm" onClick={() => void copy()} aria-label={`Copy: ${label}`}>
        Copy
      </Button>
    </div>
  )
}

const ProofInstructions = ({ host }: { host: StudioHost }) => (
  <>
    <div className={styles.values}>
      <p>Where you manage this domain, add a DNS record of the type TXT:</p>
      <CopyableValue label="Record name" text={host.recordName} />
      <CopyableValue label="Record value" text={host.text} />
    </div>
    <div className={styles.values}>
      <p>Or, if a website is at this host name already, put a text file there:</p>
      <CopyableValue label="File address" text={host.fileAddress} />
      <CopyableValue label="File content" text={host.text} />
    </div>
  </>
)

const stateOf = ({ state, provedAt, addedAt }: StudioHost): string =>
  state === 'proved' && provedAt ? `Proved on ${dayOf(provedAt)}` : `Waiting for proof since ${dayOf(addedAt)}`

/** One host name: its state, how to verify it, and the result of the last check. */
export const HostProof = ({ studioId, host }: { studioId: number; host: StudioHost }) => {
  const { mutate, busy } = useStaffMutation(checkHost)
  const { hostName, unicode, state, failingSince, checkedAt, result } = host
  const check = () => mutate({ params: { studioId }, body: { hostName } })
  return (
    <li className={styles.host}>
      <p>
        <span className={styles.name}>{hostName}</span>
        {unicode && <span className={styles.soft}> ({unicode})</span>}
      </p>
      <p>{stateOf(host)}</p>
      {failingSince && (
        <Notice tone="attention">
          The proof has been missing since {dayOf(failingSince)}. After three days your page is no longer shown at this
          host name.
        </Notice>
      )}
      {(state === 'waiting' || failingSince) && <ProofInstructions host={host} />}
      {result && checkedAt && (
        <p role="status">
          {result}. Last checked: {timeOf(checkedAt)}
        </p>
      )}
      <div>
        <Button variant="secondary" loading={busy} onClick={() => void check()}>
          Check now
        </Button>
      </div>
    </li>
  )
}
