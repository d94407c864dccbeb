import Camera from 'lucide-react/icons/camera'
import CircleDashed from 'lucide-react/icons/circle-dashed'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import UserX from 'lucide-react/icons/user-x'
import type { AttendanceStatus } from '#domain/subjects/attendance.ts'
import { Icon } from '#ui/icon.tsx'
import styles from './shoot.module.css'

const shown = {
  waiting: { icon: CircleDashed, words: 'Not yet' },
  photographed: { icon: Camera, words: 'Checked in' },
  absent: { icon: UserX, words: 'Absent' },
  again: { icon: RotateCcw, words: 'Comes again' },
} as const satisfies Record<AttendanceStatus, object>

/** Attendance status as an icon with a label: color alone is not readable in sunlight. */
export const AttendanceBadge = ({ of, isUnsent = false }: { of: AttendanceStatus; isUnsent?: boolean }) => (
  <span className={styles.standing} data-standing={of}>
    <Icon of={shown[of].icon} />
    {shown[of].words}
    {isUnsent && <span className={styles.unsent}>Not sent yet</span>}
  </span>
)
