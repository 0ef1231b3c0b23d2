"""Further captions of news, sports, family pictures and film descriptions in four languages; names stand in brackets.

``THIRD`` was measured, in two halves, and looked at while rules were mended. ``LAST`` was measured once, after that.
"""

from __future__ import annotations

from tests.core.media.names.marked import unmarked

THIRD_TEXTS = {
    "de": """
Bürgermeister [Anton Reuschel] eröffnet das Stadtfest, neben ihm seine Frau [Margot].
[Svenja Mommsen] (links) und [Tarek Aydin] bei der Siegerehrung in Dortmund.
Wo ist [Hannes]? – Keine Ahnung, frag doch [Pia].
Der Angeklagte schweigt, sein Anwalt [Friedrich Ohnesorge] schüttelt den Kopf.
Vor dem Rathaus demonstrieren Schüler gegen die Schließung des Freibads.
Familie [Brinkmann] im Schwarzwald, Ostern 1973.
[Wiebke] nimmt das Messer, [Gregor] weicht zurück.
Linksverteidiger [Marvin Plattenhardt] verlängert bei Hertha bis 2027.
Hör auf damit, [Lotte]! Das ist nicht lustig.
Die Geigerin [Isabelle van Keulen] spielt am Freitag in der Elbphilharmonie.
Gesundheitsministerin [Hedwig Jansen-Kroll] besucht ein Pflegeheim in Magdeburg.
Im Tor stand diesmal [Ole Petersen], weil [Kevin Trapp] verletzt fehlte.
„Das Wasser kam nachts“, erzählt die Wirtin [Elfriede Moosbacher].
Zwei Wanderer wurden am Brocken vom Schnee überrascht.
Ich habe Frau Doktor [Seidel] gestern noch gesehen.
[Konrad] hebt den Brief auf. [Thea] dreht sich weg.
Konfirmation von [Bastian], Pfingsten 1990, mit Patentante [Ursel].
Na los, [Mats], spring schon!
Der Regisseur [Fatih Akin] bekommt in Hamburg einen Preis.
Langsam öffnet [Jule] die Kellertür und lauscht.
""",
    "fr": """
Le président du club, [Jérôme Castaing], félicite ses joueurs après la victoire.
[Fatou Diallo] (à gauche) et [Margaux Lenoir] reçoivent leur diplôme à Grenoble.
Où est passée [Capucine] ? Demande à [Nicolas].
Dans l'atelier, [Honoré] répare une vieille horloge.
La mairie ferme ses portes pendant les travaux.
Anniversaire de Tante [Yvonne], entourée de ses neveux.
Le témoin reconnaît [Gérard Poulain] sur la photographie.
[Griezmann] sort sur blessure, remplacé par [Olivier Giroud].
Ne raccroche pas, [Aurélie], je t'en prie.
Le violoncelliste [Edgar Moreau] joue ce soir à la Philharmonie de Paris.
La ministre [Agnès Delvaux] visite une maison de retraite à Clermont-Ferrand.
Le gardien [Mike Maignan] repousse le tir de [Kylian Mbappé].
« L'eau est montée en une nuit », raconte [Bernadette Cazenave], hôtelière.
Deux randonneurs ont été surpris par la neige dans le Vercors.
J'ai vu Madame [Pelletier] hier au marché.
[Gaspard] ramasse la lettre. [Ondine] détourne les yeux.
Baptême de [Martin], Pâques 1990, avec sa marraine [Huguette].
Allez, [Basile], saute !
Le réalisateur [Cédric Klapisch] reçoit un prix à Deauville.
Lentement, [Salomé] ouvre la porte de la cave.
""",
    "es": """
El alcalde [Fulgencio Barrera] inaugura la feria junto a su esposa, [Amparo].
[Leire Goñi] (izquierda) y [Omar Benítez] celebran el título en Zaragoza.
¿Y [Nacho]? No sé, pregúntale a [Begoña].
En el taller, [Eusebio] arregla un reloj antiguo.
Los vecinos protestan por el cierre del ambulatorio.
La familia [Zubizarreta] en la playa de San Sebastián, agosto de 1968.
El testigo reconoce a [Germán Tejada] en la fotografía.
[Pedri] se retira lesionado y entra en su lugar [Dani Olmo].
No cuelgues, [Araceli], por favor.
La pianista [Rosa Torres-Pardo] actúa esta noche en el Teatro Real.
La consejera [Pilar Undabeitia] visita una residencia de ancianos en Burgos.
El portero [Unai Simón] detiene el penalti de [Morata].
«El agua subió en una noche», cuenta la hotelera [Visitación Prieto].
Dos montañeros fueron sorprendidos por la nieve en Gredos.
Ayer vi a la señora [Quintanilla] en el mercado.
[Gonzalo] recoge la carta. [Estrella] aparta la mirada.
Comunión de [Martín], Pascua de 1990, con su madrina [Adela].
¡Vamos, [Hugo], salta!
El director [Fernando León de Aranoa] recibe un premio en Valladolid.
Despacio, [Noa] abre la puerta del sótano.
""",
    "it": """
Il presidente della squadra, [Aurelio Zamboni], abbraccia i giocatori dopo la partita.
[Fatima Rossetti] (a sinistra) e [Luca Brambilla] ricevono il diploma a Padova.
Dov'è finita [Carlotta]? Chiedilo a [Sandro].
In officina [Ettore] ripara un vecchio orologio.
I cittadini protestano contro la chiusura dell'ospedale.
La famiglia [Bonfanti] in vacanza a Cesenatico, Ferragosto 1969.
Il testimone riconosce [Gualtiero Mancuso] nella fotografia.
[Chiesa] esce per infortunio, al suo posto [Moise Kean].
Non riattaccare, [Serena], ti prego.
La violinista [Anna Tifu] suona stasera al Teatro alla Scala.
L'assessora [Ornella Vitale] visita una casa di riposo ad Ancona.
Il portiere [Alex Meret] para il rigore di [Vlahović].
«L'acqua è salita in una notte», racconta l'albergatrice [Iolanda Prati].
Due escursionisti sono stati sorpresi dalla neve sul Gran Sasso.
Ieri ho visto la signora [Castelnuovo] al mercato.
[Riccardo] raccoglie la lettera. [Viola] distoglie lo sguardo.
Cresima di [Martino], Pasqua 1990, con la madrina [Ines].
Dai, [Ugo], salta!
Il regista [Paolo Virzì] riceve un premio a Taormina.
Lentamente [Miriam] apre la porta della cantina.
""",
}
LAST_TEXTS = {
    "de": """
Der Kölner Erzbischof [Rainer Woelki] hielt die Predigt im Dom.
Staatsanwältin [Mechthild Voss] verlangt fünf Jahre Haft.
Nach neunzig Minuten umarmten sich [Toni Kroos] und [Luka Modrić].
Auf dem Foto: [Ingrid], [Werner] und der kleine [Nils] im Zoo Hannover.
Bei Glatteis kam es auf der A7 zu mehreren Unfällen.
Schau mal, [Emilia], ein Reh!
[Vincent] reißt das Fenster auf und ruft nach seiner Schwester [Cora].
Der alte [Hannemann] sitzt allein in der Kneipe.
Wer hat den Wein bestellt? – Das war [Leonie].
Im Zug nach Leipzig liest ein Mädchen einen Roman.
""",
    "fr": """
L'archevêque de Reims, [Éric de Moulins-Beaufort], célèbre la messe de minuit.
La procureure [Maryvonne Caillebotte] réclame cinq ans de prison.
Au coup de sifflet final, [Antoine Dupont] tombe dans les bras de [Romain Ntamack].
Sur la photo : [Simone], [Lucien] et le petit [Théo] au zoo de Vincennes.
Le verglas a provoqué plusieurs accidents sur l'autoroute A6.
Regarde, [Lilou], un chevreuil !
[Maxence] ouvre la fenêtre et appelle sa sœur [Apolline].
Le vieux [Garnier] boit seul au comptoir.
Qui a commandé le vin ? C'était [Sandrine].
Dans le train de Dijon, une fillette lit un roman.
""",
    "es": """
El arzobispo de Sevilla, [José Ángel Saiz], celebró la misa del gallo.
La fiscal [Consuelo Madrigal] reclama cinco años de prisión.
Tras el pitido final, [Sergio Ramos] se abraza con [Keylor Navas].
En la foto: [Carmela], [Julián] y la pequeña [Vera] en el zoo de Barcelona.
El hielo provocó varios accidentes en la autovía de Cantabria.
¡Mira, [Daniela], un ciervo!
[Álvaro] abre la ventana y llama a su hermana [Lorena].
El viejo [Montoya] bebe solo en la taberna.
¿Quién ha pedido el vino? Ha sido [Elvira].
En el tren a Huesca una niña lee una novela.
""",
    "it": """
L'arcivescovo di Bologna, [Matteo Zuppi], celebra la messa di mezzanotte.
La procuratrice [Loredana Fusco] chiede cinque anni di carcere.
Al fischio finale [Giorgio Chiellini] abbraccia [Leonardo Bonucci].
Nella foto: [Silvana], [Renato] e il piccolo [Elia] allo zoo di Pistoia.
Il ghiaccio ha causato diversi incidenti sull'autostrada A1.
Guarda, [Aurora], un cervo!
[Edoardo] spalanca la finestra e chiama la sorella [Noemi].
Il vecchio [Bertoldi] beve da solo all'osteria.
Chi ha ordinato il vino? È stata [Federica].
Sul treno per Perugia una bambina legge un romanzo.
""",
}
THIRD = {language: unmarked(text) for language, text in THIRD_TEXTS.items()}
LAST = {language: unmarked(text) for language, text in LAST_TEXTS.items()}
