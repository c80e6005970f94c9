// The few pictures of the interface, drawn here so that nothing is fetched for them.
import type { ComponentChildren } from 'preact'

const Icon = ({ children, size = 18 }: { children: ComponentChildren; size?: number }) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="1.8"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    {children}
  </svg>
)

export const Mark = ({ size = 26 }: { size?: number }) => (
  <Icon size={size}>
    <path d="M12 2v20M3.3 7l17.4 10M20.7 7 3.3 17" />
    <path d="m12 5.5 5.6 3.2v6.6L12 18.5l-5.6-3.2V8.7z" />
    <path d="m12 9 2.6 1.5v3L12 15l-2.6-1.5v-3z" />
  </Icon>
)

const paths = {
  play: <path d="M7 4.5v15l12-7.5z" />,
  search: <path d="M10.500 4a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13zM15.500 15.500 21 21" />,
  home: <path d="M4 11 12 4l8 7v9h-5v-6H9v6H4z" />,
  clock: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M12 7.500V12l3 2" />
    </>
  ),
  feed: <path d="M5 4a15 15 0 0 1 15 15M5 10a9 9 0 0 1 9 9M5 17.500h2V19.500H5z" />,
  jobs: <path d="M4 6h16M4 12h10M4 18h13M19 10.5v3" />,
  document: <path d="M6 3h8l5 5v13H6zM14 3v5h5M9 13h7M9 17h5" />,
  usage: <path d="M4 20V10M10 20V4M16 20v-7M21 20H3" />,
  key: (
    <>
      <circle cx="8" cy="15" r="4" />
      <path d="m11 12 8-8M16 7l3 3" />
    </>
  ),
  team: (
    <>
      <circle cx="9" cy="8" r="3.5" />
      <path d="M2.5 20c.5-4 3-6 6.500-6s6 2 6.500 6M16 5a3.500 3.500 0 0 1 0 6.500M18 14.500c2.200.8 3.300 2.700 3.500 5.500" />
    </>
  ),
  plug: <path d="M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4" />,
  limit: <path d="M4 17a8 8 0 1 1 16 0M12 17l4-5" />,
  hook: <path d="M8 7a4 4 0 1 1 6 3.500L17 16M10 9l-4 7M9 18h8a3 3 0 1 1-3 3" />,
  window: <path d="M3 5h18v14H3zM3 9.5h18M6.500 7.200v.01M9.500 7.200v.01" />,
  bolt: <path d="M13 3 5 14h6l-1 7 8-11h-6z" />,
  eye: (
    <>
      <path d="M2.500 12S6 5.500 12 5.500 21.500 12 21.500 12 18 18.500 12 18.500 2.500 12 2.500 12z" />
      <circle cx="12" cy="12" r="3" />
    </>
  ),
  health: <path d="M3 12h4l2-6 4 12 2.500-6H21" />,
  sun: (
    <>
      <circle cx="12" cy="12" r="4" />
      <path d="M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.400 1.400M17.600 17.600 19 19M19 5l-1.400 1.400M6.400 17.600 5 19" />
    </>
  ),
  moon: <path d="M20 14.500A8.500 8.500 0 0 1 9.500 4a8.500 8.500 0 1 0 10.500 10.500z" />,
  menu: <path d="M4 7h16M4 12h16M4 17h16" />,
  close: <path d="M6 6l12 12M18 6 6 18" />,
  copy: <path d="M9 9h11v11H9zM5 15H4V4h11v1" />,
  out: <path d="M14 4h5v16h-5M4 12h11M8 8l-4 4 4 4" />,
  help: (
    <>
      <circle cx="12" cy="12" r="9" />
      <path d="M9.500 9.500a2.500 2.500 0 1 1 3.500 2.300c-.8.4-1 .9-1 1.700M12 17v.01" />
    </>
  ),
  flow: <path d="M4 4h6v5H4zM14 15h6v5h-6zM7 9v5a3 3 0 0 0 3 3h4M11 14l3 3-3 3" />,
  chip: <path d="M7 7h10v10H7zM10 7V3M14 7V3M10 21v-4M14 21v-4M7 10H3M7 14H3M21 10h-4M21 14h-4" />,
  down: <path d="M12 4v11M7 11l5 5 5-5M5 20h14" />,
  target: (
    <>
      <circle cx="12" cy="12" r="7.5" />
      <path d="M12 2v6M12 16v6M2 12h6M16 12h6" />
    </>
  ),
  stop: <path d="M6 6h12v12H6z" />,
} as const

export type IconName = keyof typeof paths
export const Picture = ({ name, size = 18 }: { name: IconName; size?: number }) => (
  <Icon size={size}>{paths[name]}</Icon>
)
