import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { CopyableValue } from '#client/staff/kit/screen/copyable-value.tsx'
import { checkHost, type StudioHost } from '#contract/studio/hosts.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import styles from './hosts-panel.module.css'

const formatDay = (instant: string): string => new Date(instant).toLocaleDateString('en-US', { dateStyle: 'medium' })
const formatTime = (instant: string): string =>
  new Date(instant).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' })

const ProofInstructions = ({ host }: { host: StudioHost }) => (
  <>
    <div className={styles.instructions}>
      <p>Where you manage this domain, add a DNS record of the type TXT:</p>
      <CopyableValue label="Record name" text={host.recordName} />
      <CopyableValue label="Record value" text={host.text} />
    </div>
    <div className={styles.instructions}>
      <p>Or, if a website is at this host name already, put a text file there:</p>
      <CopyableValue label="File address" text={host.fileAddress} />
      <CopyableValue label="File content" text={host.text} />
    </div>
  </>
)

const stateLabel = ({ state, provedAt, addedAt }: StudioHost): string =>
  state === 'proved' && provedAt ? `Proved on ${formatDay(provedAt)}` : `Waiting for proof since ${formatDay(addedAt)}`

/** A host name: its state, how to prove its ownership, and the result of the last check. */
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
      <p>{stateLabel(host)}</p>
      {failingSince && (
        <Notice tone="attention">
          The proof has been missing since {formatDay(failingSince)}. After three days your page is no longer shown at
          this host name.
        </Notice>
      )}
      {(state === 'waiting' || failingSince) && <ProofInstructions host={host} />}
      {result && checkedAt && (
        <p role="status">
          {result}. Last checked: {formatTime(checkedAt)}
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
