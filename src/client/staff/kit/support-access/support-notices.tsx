import { Link } from 'wouter'
import { listSupportAccesses, type SupportAccess } from '#contract/studio/support-access.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { useStaffQuery } from '../query/use-staff-query.ts'
import { useTimeZone } from '../routing/staff-context.ts'
import { staffUrls } from '../routing/staff-urls.ts'
import { useIsOwner } from '../session/current-session.ts'
import { endLabel, termsLabel } from './access-labels.ts'
import styles from './consent-controls.module.css'
import { ConsentControls, useEndAccess } from './consent-controls.tsx'

const refetchIntervalMs = 30_000

type NoticeProps = { studioId: number; access: SupportAccess }

const AskedNotice = ({ studioId, access }: NoticeProps) => {
  const { administratorId: id, administratorName: name, reason } = access
  const { end } = useEndAccess(studioId)
  return (
    <Notice tone="attention" title={`${name}, who works for the platform, asks for access to your studio`}>
      <p>Reason: “{reason}”</p>
      <ConsentControls studioId={studioId} administrator={{ id, name }} onRefuse={() => end(access)} />
    </Notice>
  )
}

const OpenNotice = ({ studioId, access }: NoticeProps) => {
  const { end, busy } = useEndAccess(studioId)
  const timeZone = useTimeZone()
  const { administratorName: name, reason } = access
  return (
    <Notice>
      <div className={styles.line}>
        <p>
          <strong>
            {name}, who works for the platform, has access until {endLabel(access, timeZone)}
          </strong>
          {'. '}
          {termsLabel(access)}. {reason && `Reason: “${reason}” `}
          <Link href={staffUrls.studio(studioId, 'settings/support-access')}>Support access</Link>
        </p>
        <div>
          <Button variant="secondary" size="sm" loading={busy} onClick={() => end(access)}>
            End access
          </Button>
        </div>
      </div>
    </Notice>
  )
}

/** Shows the owners on every screen which administrators ask for access to the studio, or have it. Others see nothing. */
export const SupportNotices = ({ studioId }: { studioId: number }) => {
  const { data } = useStaffQuery(listSupportAccesses, {
    params: { studioId },
    enabled: useIsOwner(),
    refetchIntervalMs,
  })
  return (data?.accesses ?? []).map((access) => {
    const { id, state } = access
    if (state === 'asked') return <AskedNotice key={id} studioId={studioId} access={access} />
    return state === 'open' && <OpenNotice key={id} studioId={studioId} access={access} />
  })
}
