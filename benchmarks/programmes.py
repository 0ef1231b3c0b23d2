"""What the drawn news programmes hold (``news.py`` draws them): who is on, what else is written, in which fonts.

Programmes have other people, names, fonts and texts each: thresholds are chosen on ``TUNING``, figures told of ``TESTING``;
``HARD`` writes in ways that are hard to read.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Programme:
    """Who is on, what they do, what else is written, and in which fonts."""

    title: str
    seed: int
    people: tuple[tuple[str, str], ...]  # name and role
    others: tuple[str, ...]  # texts that name nobody
    crew: tuple[tuple[str, str], ...]  # of the credits
    fonts: tuple[str, ...]
    styles: tuple[str, ...] = ()  # of lower thirds that are hard to read (``hard_thirds.py``); plain ones without


TUNING = Programme(
    "The Evening Report",
    1,
    (
        ("Anna Berg", "Reporter"), ("Marcus Oyelaran", "Chief Economist, Harbour Bank"), ("Yuki Tanaka", "Marine biologist"),
        ("Dr. Helen Whitcombe", "University Hospital"), ("Rafael Ortiz", "Mayor of Santa Clara"),
        ("Priya Raman", "Engineer"),
        ("Tomasz Zielinski", "Farmer"), ("Fatima Al-Sayed", "Human rights lawyer"), ("Gordon McKay", "Coach, Rovers FC"),
        ("Linh Nguyen", "Student"), ("Olivia Hart", "Actress"), ("Stefan Lindqvist", "Minister of Transport"),
        ("Grace Mensah", "Head teacher"), ("Pierre Dubois", "Baker"), ("Ruth O'Connell", "Author, The Long Road"),
        ("Hiroshi Mori", "Train driver"), ("Elena Petrova", "Chess champion"), ("Samuel Adeyemi", "Witness"),
        ("Katherine Fox", "Weather"), ("Luca Marchetti", "Museum director"), ("Ingrid Solberg", "Climate scientist"),
        ("Ahmed Hassan", "Shop owner"), ("Charlotte Reed", "Opposition leader"), ("Wei Zhang", "Pianist"),
        ("Peter van der Meer", "Pilot"), ("Sophie Laurent", "Our correspondent in Lyon"),
        ("Daniel Kim", "Software developer"),
        ("Isabel Moreno", "Nurse"), ("Jack Thornton", "Fire Brigade"), ("Miriam Goldstein", "Historian"),
    ),
    (
        "BREAKING NEWS", "Storm reaches the coast", "Central Bank raises interest rates", "LIVE", "Port of Arden",
        "Houses of Parliament", "SPECIAL REPORT", "Train strike enters second week", "Weather Forecast", "North Sea",
        "Coming up next", "Prime Minister to resign", "CITY COUNCIL", "Film Festival opens tonight",
        "New York Stock Exchange",
        "Subscribe now", "World Cup Final", "Yesterday", "Public Library", "Fire in the old town",
    ),
    (("Director", "Walter Keane"), ("Editor", "Monica Sharp"), ("Camera", "Joseph Lindgren"), ("Sound", "Clara Novak"),
     ("Producer", "Victor Hale"), ("Music", "Teresa Lang")),
    ("SourceSansPro-Regular", "SourceSansPro-Bold", "SourceSerifPro-Regular", "SourceSerifPro-Semibold", "Manrope-Bold",
     "Caladea-Regular", "OpenSans-Regular", "OpenSans-Bold"),
)  # fmt: skip
TESTING = Programme(
    "World at Nine",
    2,
    (
        ("Nadia Karim", "Correspondent"), ("Benjamin Ashworth", "Energy analyst"), ("Sakura Ito", "Architect"),
        ("Prof. Leonard Weiss", "Institute of Physics"), ("Carmen Delgado", "Governor"), ("Vikram Desai", "Surgeon"),
        ("Agnieszka Nowak", "Trade union"), ("Omar Farouk", "Journalist"), ("Duncan MacLeod", "Fisherman"),
        ("Mai Tran", "Restaurant owner"), ("Emily Clarke", "Singer"), ("Lars Henriksen", "Foreign Minister"),
        ("Kwame Boateng", "Football coach"), ("Juliette Moreau", "Winemaker"), ("Sean O'Reilly", "Dublin City Council"),
        ("Kenji Yamamoto", "Robotics Laboratory"), ("Dmitri Volkov", "Ballet dancer"), ("Chioma Eze", "Entrepreneur"),
        ("Rebecca Stone", "Weather"), ("Giulia Ferrari", "Curator, National Gallery"), ("Astrid Nielsen", "Explorer"),
        ("Youssef Haddad", "Taxi driver"), ("Margaret Ellison", "Member of Parliament"), ("Jun Li", "Violinist"),
        ("Maria de la Cruz", "Teacher"), ("Henri Lefevre", "In Brussels"), ("Hannah Cohen", "Data scientist"),
        ("Diego Fernandez", "Paramedic"), ("William Harper", "Police spokesman"), ("Susan Blake", "Biographer"),
    ),
    (
        "JUST IN", "Floods close three bridges", "Ministers meet in Geneva", "ON AIR", "Gulf of Mexico", "White House",
        "THE BIG STORY", "Airport workers walk out", "Market Update", "South Pole", "After the break",
        "Chancellor under fire",
        "TOWN HALL", "Book prize announced", "Tokyo Stock Exchange", "Follow us online", "Grand Final", "This morning",
        "Royal Theatre", "Fuel prices fall again",
    ),
    (("Directed by", "Harriet Cole"), ("Edited by", "Simon Vance"), ("Camera", "Beatrice Ohara"), ("Sound", "Martin Falk"),
     ("Produced by", "Diana Prescott"), ("Music by", "Oscar Bell")),
    ("Lato-Regular", "Lato-Bold", "HankenGrotesk-Medium", "HankenGrotesk-Bold", "SourceSerifPro-Bold", "Caladea-Bold",
     "Vera", "SourceSansPro-Black"),
)  # fmt: skip
STYLES = ("thin", "handwritten", "hollow", "pale", "spaced", "condensed", "restless", "broken", "slanted", "tiny",
          "thin capitals", "fat", "dark", "edged", "wide")  # fmt: skip
HARD = Programme(
    "The Late Edition",
    3,
    (
        ("Victoria Lange", "Archivist"), ("Moussa Camara", "Fishing cooperative"), ("Tess Abernathy", "Sculptor"),
        ("Prof. Armin Kessler", "Institute of Law"), ("Beatriz Fonseca", "Deputy"), ("Sanjay Iyer", "Cardiologist"),
        ("Zofia Wilk", "Ceramics"), ("Leila Haidari", "Reporter"), ("Callum Ferguson", "Shepherd"),
        ("Minh Pham", "Tailor"), ("Phoebe Langley", "Drummer"), ("Anders Dahl", "Minister of Justice"),
        ("Abena Owusu", "Headmistress"), ("Mathieu Girard", "Cheesemaker"), ("Niamh Doherty", "Novelist"),
        ("Takeshi Endo", "Signalman"), ("Irina Sokolova", "Skater"), ("Emeka Obi", "Bystander"),
        ("Laura Whitfield", "Weather"), ("Paolo Rinaldi", "Restorer"), ("Sigrid Haugen", "Geologist"),
        ("Karim Mansour", "Grocer"), ("Frances Pemberton", "Judge"), ("Xiu Chen", "Cellist"),
        ("Joost de Vries", "Skipper"), ("Camille Rousseau", "In Marseille"), ("Nathan Park", "Programmer"),
        ("Lucia Navarro", "Midwife"), ("Edgar Holloway", "Coastguard"), ("Judith Rosen", "Critic"),
    ),
    (
        "THIS JUST IN", "Dam breaks after heavy rain", "Senate votes on budget", "AT THE SCENE", "Bay of Biscay",
        "Royal Palace", "IN DEPTH", "Nurses return to work", "Sports Roundup", "Lake Victoria", "Stay with us",
        "Governor denies claims", "COUNTY COURT", "Jazz week begins", "Paris Bourse", "Write to us", "Cup Semi Final",
        "Last night", "Opera House", "Bread gets dearer",
    ),
    (("Direction", "Agatha Winslow"), ("Cut", "Hugo Brandt"), ("Camera", "Rosalind Achebe"), ("Sound", "Felix Moreau"),
     ("Produced by", "Ernest Calloway"), ("Music by", "Daphne Ingram")),
    ("Lato-Light", "Manrope-Light", "OpenSans-Light", "SourceSerifPro-Light", "Caladea-Italic", "HankenGrotesk-Light",
     "Intuitive", "AmaticSC-Bold"),
    STYLES,
)  # fmt: skip
PROGRAMMES = {"tuning": TUNING, "testing": TESTING, "hard": HARD}


def name_of(written: str) -> str:
    """A name as it stands on the screen, without its title."""
    return written.removeprefix("Dr. ").removeprefix("Prof. ")
