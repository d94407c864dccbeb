import styles from './proof-sheet.module.css'

type Person = { hair: string; x: number; y: number }

const people: readonly Person[] = [
  { hair: 'M-15-2c0-14 6-19 15-19s15 5 15 19c-3-8-8-11-15-11s-12 3-15 11z', x: 52, y: 62 },
  { hair: 'M-17 16c-4-28 3-38 17-38s21 10 17 38c-3-4-3-16-4-22-6 2-20 2-26-2-1 8-1 20-4 24z', x: 156, y: 62 },
  { hair: 'M-15-3c-2-16 8-20 15-18 10-3 18 6 15 18-4-6-9-6-15-9-4 5-12 4-15 9z', x: 260, y: 62 },
  {
    hair: 'M-15 0c-1-14 5-21 15-21s16 7 15 21c-2-10-4-12-15-12s-13 2-15 12zM-18-17a6 6 0 1 1 9-5M18-17a6 6 0 1 0-9-5',
    x: 52,
    y: 190,
  },
  { hair: 'M-16-1c-3-12 2-21 16-21s19 9 16 21l-4-8-24 0z', x: 156, y: 190 },
  { hair: 'M-17 18c-5-30 4-40 17-40s22 10 17 40l-4-24c-8-1-18-3-22-7-1 6-3 22-8 31z', x: 260, y: 190 },
]

/** A contact sheet with one picture chosen, as photographers mark it: a ring of grease pencil. Decoration. */
export const ProofSheet = () => (
  <svg className={styles.sheet} viewBox="0 0 312 256" aria-hidden="true" focusable="false">
    {people.map(({ hair, x, y }, place) => (
      <g key={`${x} ${y}`} transform={`translate(${x} ${y})`}>
        <rect className={styles.mat} data-place={place} x="-46" y="-56" width="92" height="116" rx="3" />
        <path className={styles.shirt} data-place={place} d="M-34 60c0-24 12-34 34-34s34 10 34 34z" />
        <path className={styles.skin} data-place={place} d="M-6 16h12v12c0 8-12 8-12 0z" />
        <ellipse className={styles.skin} data-place={place} cy="2" rx="15" ry="19" />
        <path className={styles.hair} data-place={place} d={hair} />
      </g>
    ))}
    <path className={styles.pencil} d="M150 118c-36 2-54 36-50 74 4 40 30 58 62 54 34-4 52-36 48-74-4-36-30-58-66-52" />
  </svg>
)
