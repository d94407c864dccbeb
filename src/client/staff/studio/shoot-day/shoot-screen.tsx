import UserPlus from 'lucide-react/icons/user-plus'
import { useMemo, useState } from 'react'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { useShortcuts } from '#client/staff/kit/screen/use-shortcuts.ts'
import { Button } from '#ui/button/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { PendingCheckInsNotice } from './pending-check-ins-notice.tsx'
import { enableSound } from './scan-feedback.ts'
import styles from './shoot.module.css'
import { countAttendance, countByGroup } from './shoot-counts.ts'
import { ShootDayProgress } from './shoot-day-progress.tsx'
import { ShootFinder } from './shoot-finder.tsx'
import { ShootSide } from './shoot-side.tsx'
import { ShootSubjectCard } from './shoot-subject-card.tsx'
import { useCheckIn } from './use-check-in.ts'
import { useOfflinePreparation } from './use-offline-preparation.ts'
import { WalkUpDialog } from './walk-up-dialog.tsx'

/** Checks in subjects at the camera by card, code or name. */
export const ShootScreen = (job: JobParams) => {
  const { timeZone } = useStudio()
  const [isScanning, setScanning] = useState(false)
  const [walkUpCode, setWalkUpCode] = useState<string | undefined>()
  const checkIn = useCheckIn(job)
  const { day, station, setStation, text, currentSubject, mark, checkInWalkUp } = checkIn
  useOfflinePreparation()
  const shortcuts = useMemo(
    () => [
      { key: 's', description: 'Scan with the camera, or stop', run: () => setScanning((isOn) => !isOn) },
      { key: 'w', description: 'Put a walk-up on the list', run: () => setWalkUpCode('') },
    ],
    [],
  )
  useShortcuts(shortcuts)
  const { subjects } = day
  const groupNames = (day.shoot?.groups ?? []).map(({ name }) => name)
  const groups = countByGroup(subjects, groupNames)
  return (
    <StaffScreen title="Shoot day">
      <QueryBoundary query={day.query}>
        {() => (
          <div className={styles.screen} onPointerDown={enableSound}>
            <ShootDayProgress counts={countAttendance(subjects)} />
            <div className={styles.mainColumn}>
              <PendingCheckInsNotice requests={day.pendingRequests} onSend={day.sendNow} onDiscard={day.discard} />
              <ShootFinder
                checkIn={checkIn}
                isScanning={isScanning}
                onScanning={setScanning}
                onWalkUp={setWalkUpCode}
              />
              {currentSubject && text.trim() === '' && (
                <ShootSubjectCard
                  subject={currentSubject}
                  job={job}
                  timeZone={timeZone}
                  isUnsent={day.isPending(currentSubject)}
                  onMark={(kind) => mark(currentSubject, kind)}
                  onUndo={() => day.undo(currentSubject)}
                  onUpdate={day.applyUpdate}
                />
              )}
              <div className={styles.footer}>
                <Button size="lg" variant="secondary" icon={UserPlus} onClick={() => setWalkUpCode('')}>
                  Walk-up
                </Button>
                <Field label="Station" className={styles.station}>
                  <TextInput size="lg" value={station} maxLength={20} autoComplete="off" onValue={setStation} />
                </Field>
              </div>
            </div>
            <ShootSide checkIn={checkIn} groups={groups} />
          </div>
        )}
      </QueryBoundary>
      {walkUpCode !== undefined && (
        <WalkUpDialog
          open
          code={walkUpCode}
          groups={groups.map(({ name }) => name).filter((name) => name !== '')}
          onClose={() => setWalkUpCode(undefined)}
          onCheckIn={(walkUp) => {
            checkInWalkUp(walkUp)
            setWalkUpCode(undefined)
          }}
        />
      )}
    </StaffScreen>
  )
}
