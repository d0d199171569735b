import type { SaveAdDto } from '../../ads/dto/save-ad.dto';
import type { SaveCollectionDto } from '../../collections/dto/save-collection.dto';
import type { SaveContentDto } from '../../content/dto/save-content.dto';
import type { SaveGroupDto } from '../../groups/dto/save-group.dto';
import type { SaveKeywordDto } from '../../keywords/dto/save-keyword.dto';
import type { Role, Status } from '../../kernel/callers/roles';

export const PLATFORM = {
  name: 'Harbour Sailing Club',
  slug: 'harbour',
  description: 'People who sail, and those who want to.',
  primaryColor: '#0b3d5c',
  secondaryColor: '#f2b134',
  timezone: 'Europe/Lisbon',
};

interface Person {
  email: string;
  name: string;
  role: Role;
  status?: Status;
  notes?: string;
}

export const PEOPLE = {
  admin: { email: 'admin@harbour.example', name: 'Inês Carvalho', role: 'admin', notes: 'Harbour master.' },
  creator: {
    email: 'creator@harbour.example',
    name: 'Tom Okafor',
    role: 'creator',
    notes: 'Teaches navigation.',
  },
  premium: { email: 'premium@harbour.example', name: 'Yuki Tanaka', role: 'premium' },
  basic: { email: 'basic@harbour.example', name: 'Marta Kowalska', role: 'basic' },
  member: { email: 'member@harbour.example', name: 'Sam Rivera', role: 'free' },
  pending: { email: 'pending@harbour.example', name: 'Noor Haddad', role: 'free', status: 'pending' },
} satisfies Record<string, Person>;

export const GROUPS: (SaveGroupDto & { members: (keyof typeof PEOPLE)[] })[] = [
  {
    name: 'Skippers',
    description: '<p>Those who hold the tiller.</p>',
    joinPolicy: 'request',
    members: ['premium'],
  },
  {
    name: 'First season',
    description: '<p>New to the water.</p>',
    visibility: 'public',
    joinPolicy: 'open',
    members: ['member', 'basic'],
  },
  { name: 'Committee', visibility: 'private', members: ['creator'] },
];

export const KEYWORDS: (SaveKeywordDto & { title: string })[] = [
  { title: 'Navigation', description: 'Charts, tides and stars.' },
  { title: 'Weather' },
  { title: 'Maintenance', description: 'What keeps a boat afloat.' },
  { title: 'Seamanship' },
  { title: 'Club life' },
];

type Article = Omit<SaveContentDto, 'GroupIds' | 'KeywordIds'> & {
  author: keyof typeof PEOPLE;
  group?: string;
  keyword?: string;
  /** Before the other posts of its group. */
  pinned?: boolean;
};

const article = (title: string, text: string, more: Partial<Article> = {}): Article => ({
  type: 'article',
  author: 'creator',
  visibility: 'public',
  title,
  description: `<p>${text}</p>`,
  ...more,
});
const video = (title: string, text: string, more: Partial<Article> = {}): Article => ({
  ...article(title, text, more),
  type: 'video',
  video: `https://media.harbour.example/${title.toLowerCase().replace(/[^a-z]+/g, '-')}.mp4`,
});
const post = (
  author: keyof typeof PEOPLE,
  title: string,
  text: string,
  more: Partial<Article> = {},
): Article => ({ type: 'post', author, title, description: `<p>${text}</p>`, ...more });

export const ARTICLES: Article[] = [
  article('Welcome aboard', 'Who we are, where we meet, and how to get a berth.', {
    featured: true,
    featuredImage: 'https://media.harbour.example/welcome-aboard.jpg',
    keyword: 'Club life',
  }),
  article(
    'Reading the tide tables',
    'Start with the springs: what the numbers mean, and the rule of twelfths.',
    {
      keyword: 'Navigation',
    },
  ),
  article('Clouds that tell the wind', 'Six clouds worth knowing before you cast off.', {
    keyword: 'Weather',
  }),
  article('Five knots you will use', 'Bowline, cleat hitch, round turn, reef knot, rolling hitch.', {
    keyword: 'Seamanship',
  }),
  article('Anchoring for the night', 'Scope, holding, and a second look at the chart.', {
    keyword: 'Seamanship',
    visibility: 'members',
  }),
  article('Antifouling, step by step', 'Sanding, masking, two coats, and what to wear.', {
    keyword: 'Maintenance',
    visibility: 'members',
  }),
  article('Passage planning checklist', 'Tides, weather, fuel, crew, and a harbour to turn back to.', {
    keyword: 'Navigation',
    visibility: 'members',
    requiredRole: 'basic',
  }),
  article('Rigging inspection for skippers', 'What to look at aloft, and when to call the rigger.', {
    keyword: 'Maintenance',
    visibility: 'members',
    group: 'Skippers',
  }),
  article('Minutes of the committee', 'Dredging, fees and the summer party.', {
    visibility: 'private',
    group: 'Committee',
  }),
  article('Season opening', 'Everyone to the slip at nine.', {
    publishedDate: '2030-04-01T08:00:00.000Z',
    keyword: 'Club life',
  }),
  article('Early-bird berths', 'Until the end of last winter.', { expireDate: '2026-01-31T23:59:59.000Z' }),
  article('Press kit', 'Logos and pictures; not listed anywhere.', { visibility: 'hidden' }),
  video('Docking under sail', 'Three approaches in twelve knots of wind.', {
    keyword: 'Seamanship',
    featured: true,
  }),
  video('Night vision', 'Lights, bearings, and keeping your eyes.', { keyword: 'Navigation' }),
  video('Engine will not start', 'From the battery to the seacock.', {
    keyword: 'Maintenance',
    visibility: 'members',
  }),
  video('Heavy weather talk', 'An evening with the lifeboat crew.', {
    keyword: 'Weather',
    visibility: 'members',
    requiredRole: 'premium',
  }),
  post('member', 'Crew wanted for Sunday', 'Two places, leaving at ten, back for tea.', {
    group: 'First season',
    keyword: 'Club life',
    pinned: true,
  }),
  post('basic', 'Lost: one blue fender', 'Probably between pontoon B and the fuel dock.', {
    group: 'First season',
  }),
  post('premium', 'Photos from the regatta', 'The wind came after all.', { keyword: 'Club life' }),
  post('creator', 'New chart of the estuary', 'The sandbank has moved again.'),
];

export const COLLECTIONS: (SaveCollectionDto & { titles: string[] })[] = [
  {
    name: 'Start here',
    description: '<p>For those who have just joined.</p>',
    collectionBGImage: 'https://media.harbour.example/start-here.jpg',
    sortPreference: 'manual',
    titles: ['Welcome aboard', 'Five knots you will use', 'Reading the tide tables', 'Docking under sail'],
  },
  {
    name: 'Navigation',
    titles: [
      'Reading the tide tables',
      'Passage planning checklist',
      'Night vision',
      'New chart of the estuary',
    ],
  },
  {
    name: 'Boat care',
    sortPreference: 'alphabetical',
    titles: ['Antifouling, step by step', 'Rigging inspection for skippers', 'Engine will not start'],
  },
  { name: 'For the press', showOnHomepage: false, titles: ['Press kit', 'Welcome aboard'] },
];

export const ADS: (SaveAdDto & { collection?: string })[] = [
  {
    title: 'Winter storage',
    body: '<p>Dry and under a roof, until the end of March.</p>',
    imageUrl: 'https://media.harbour.example/winter-storage.jpg',
    linkUrl: 'https://yard.harbour.example/winter',
    callToAction: 'Book a berth',
    placement: 'home',
    status: 'active',
    priority: 10,
  },
  {
    title: 'Paint for your hull',
    linkUrl: 'https://chandlery.harbour.example/paint',
    callToAction: 'See the colours',
    placement: 'collection',
    excludeRoles: ['premium'],
    status: 'active',
    collection: 'Boat care',
  },
  {
    title: 'First-aid course',
    linkUrl: 'https://school.harbour.example/first-aid',
    placement: 'feed',
    status: 'active',
  },
];

interface DemoComment {
  on: string;
  by: keyof typeof PEOPLE;
  message: string;
  replies?: { by: keyof typeof PEOPLE; message: string }[];
}

export const COMMENTS: DemoComment[] = [
  {
    on: 'Reading the tide tables',
    by: 'member',
    message: '<p>Does the rule of twelfths hold in the estuary?</p>',
    replies: [
      { by: 'creator', message: '<p>Roughly; the flood is shorter there.</p>' },
      { by: 'premium', message: '<p>I add twenty minutes and am rarely wrong.</p>' },
    ],
  },
  { on: 'Reading the tide tables', by: 'basic', message: '<p>The pictures helped a lot.</p>' },
  {
    on: 'Docking under sail',
    by: 'premium',
    message: '<p>Which boat is this?</p>',
    replies: [{ by: 'creator', message: '<p>The club’s old training sloop.</p>' }],
  },
  { on: 'Welcome aboard', by: 'member', message: '<p>Glad to be here!</p>' },
  { on: 'Crew wanted for Sunday', by: 'basic', message: '<p>I am in.</p>' },
];

export const REACTIONS: { on: string; by: keyof typeof PEOPLE; emoji: string }[] = [
  { on: 'Welcome aboard', by: 'member', emoji: 'heart' },
  { on: 'Welcome aboard', by: 'basic', emoji: 'heart' },
  { on: 'Welcome aboard', by: 'premium', emoji: '⛵' },
  { on: 'Docking under sail', by: 'premium', emoji: '👏' },
  { on: 'Reading the tide tables', by: 'basic', emoji: 'bulb' },
];
