type TimeZone = { id: string; name: string }

const ofTheUnitedStates: readonly TimeZone[] = [
  { id: 'America/New_York', name: 'Eastern time' },
  { id: 'America/Chicago', name: 'Central time' },
  { id: 'America/Denver', name: 'Mountain time' },
  { id: 'America/Phoenix', name: 'Mountain time, Arizona' },
  { id: 'America/Los_Angeles', name: 'Pacific time' },
  { id: 'America/Anchorage', name: 'Alaska time' },
  { id: 'America/Adak', name: 'Hawaii–Aleutian time' },
  { id: 'Pacific/Honolulu', name: 'Hawaii time' },
  { id: 'America/Puerto_Rico', name: 'Atlantic time, Puerto Rico and Virgin Islands' },
  { id: 'Pacific/Guam', name: 'Chamorro time, Guam and Northern Marianas' },
  { id: 'Pacific/Pago_Pago', name: 'Samoa time' },
]

const first = new Set(ofTheUnitedStates.map(({ id }) => id))

/** Names of before, which engines still list and some databases have no more, and what each place is called today. */
const renamed = new Map(
  Object.entries({
    'Africa/Asmera': 'Africa/Asmara',
    'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
    'America/Catamarca': 'America/Argentina/Catamarca',
    'America/Coral_Harbour': 'America/Atikokan',
    'America/Cordoba': 'America/Argentina/Cordoba',
    'America/Godthab': 'America/Nuuk',
    'America/Indianapolis': 'America/Indiana/Indianapolis',
    'America/Jujuy': 'America/Argentina/Jujuy',
    'America/Louisville': 'America/Kentucky/Louisville',
    'America/Mendoza': 'America/Argentina/Mendoza',
    'Asia/Calcutta': 'Asia/Kolkata',
    'Asia/Katmandu': 'Asia/Kathmandu',
    'Asia/Rangoon': 'Asia/Yangon',
    'Asia/Saigon': 'Asia/Ho_Chi_Minh',
    'Atlantic/Faeroe': 'Atlantic/Faroe',
    'Europe/Kiev': 'Europe/Kyiv',
    'Pacific/Enderbury': 'Pacific/Kanton',
    'Pacific/Ponape': 'Pacific/Pohnpei',
    'Pacific/Truk': 'Pacific/Chuuk',
  }),
)

/** What a time zone is called today, whichever of its names is given. */
export const currentTimeZoneName = (id: string): string => renamed.get(id) ?? id

/**
 * The time zones a studio may be in: its days begin and end by it. Those of the United States first, by the names people know there, then
 * every other by its own; by the names of today, whatever the browser calls them.
 */
export const timeZones: readonly TimeZone[] = [
  ...ofTheUnitedStates,
  ...[...new Set(Intl.supportedValuesOf('timeZone').map(currentTimeZoneName))]
    .filter((id) => !first.has(id))
    .toSorted()
    .map((id) => ({ id, name: id.replaceAll('_', ' ') })),
]

/** Whether days can be reckoned by it here, under any of its names; the database is asked for itself. */
export const isTimeZone = (id: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: id })
    return true
  } catch {
    return false
  }
}
