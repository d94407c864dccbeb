import { useMemo, useState } from 'react'
import styles from './shoot.module.css'
import { type GroupCounts, lastMarked, remainingInGroup } from './shoot-counts.ts'
import { ShootDayGroups } from './shoot-day-progress.tsx'
import { ShootSubjectList } from './shoot-subject-list.tsx'
import type { CheckIn } from './use-check-in.ts'

/** Side column: the remaining subjects of a group, the subjects marked last, and the groups. */
export const ShootSide = ({ checkIn, groups }: { checkIn: CheckIn; groups: readonly GroupCounts[] }) => {
  const { day, choose } = checkIn
  const { subjects, isPending } = day
  const [shownGroup, setShownGroup] = useState<string | undefined>()
  const newest = useMemo(() => lastMarked(subjects), [subjects])
  return (
    <div className={styles.side}>
      {shownGroup !== undefined && (
        <ShootSubjectList
          label={shownGroup === '' ? 'In no group' : shownGroup}
          subjects={remainingInGroup(subjects, shownGroup)}
          empty="Nobody of this group is left"
          isUnsent={isPending}
          onChoose={choose}
          onClose={() => setShownGroup(undefined)}
        />
      )}
      <ShootSubjectList
        label="Last"
        subjects={newest}
        empty="People you check in appear here, the latest first"
        isUnsent={isPending}
        onChoose={choose}
      />
      <ShootDayGroups groups={groups} onShow={setShownGroup} />
    </div>
  )
}
