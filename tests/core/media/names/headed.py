"""Captions in five languages of which many begin with a heading ("Swimming: ..."): notes in albums, tickers, teasers and
dialogue; names stand in brackets.

``FOURTH`` was measured before headings were told from speakers, ``FIFTH`` after a first rule about them; both were seen.
"""

from __future__ import annotations

from tests.core.media.names.marked import unmarked

FOURTH_TEXTS = {
    "de": """
Eilmeldung: Ministerpräsidentin [Gesine Brockhoff] tritt mit sofortiger Wirkung zurück.
Brand in Altenheim – Feuerwehrmann [Holger Tietjen] rettet elf Bewohner.
Im Interview spricht [Yasemin Karaca] über Mieten, Lärm und die Zukunft der Innenstadt.
Die Stadt Erfurt sperrt ab Mittwoch die Lange Brücke für den Verkehr.
Streit um Gehälter: Gewerkschafter [Detlef Quandt] droht der Bahn mit Streik.
Unser erster Tag im neuen Haus, [Merle] wollte gar nicht schlafen.
Von links: Tante [Irmgard], [Ferdinand], dahinter Cousine [Swantje].
[Theo], drei Wochen alt, auf dem Arm von Opa [Gerd].
Klassenfahrt nach Weimar, 10b, Mai 2004.
Goldene Hochzeit von [Hedwig] und [Alois] im Gasthof zur Post.
Du hast versprochen, dass [Marek] nichts davon erfährt.
Nacht. Auf dem Dach steht [Leonie] und zählt die Sterne.
Frau [Tschirner] legt den Hörer auf und fängt an zu weinen.
Setz dich, [Hanno]. Wir müssen reden.
Ein Mädchen mit Zöpfen malt Kreise in den Sand.
67. Minute: [Havertz] flankt, [Füllkrug] köpft, und die Latte zittert.
Überraschung in Oberhof: [Franziska Preuß] siegt vor [Julia Simon].
Hertha verliert auch das vierte Spiel in Folge.
Der Schiedsrichter zeigt [Nico Schlotterbeck] die gelbe Karte.
Schwimmen: [Florian Wellbrock] holt Gold über 1500 Meter Freistil.
""",
    "fr": """
Flash info : le préfet [Didier Lallemand] interdit le rassemblement de samedi.
Incendie à Nîmes : le pompier [Loïc Marchetti] sauve onze personnes.
Dans un entretien, [Samira Boulifa] évoque les loyers et l'avenir du centre-ville.
La ville de Tours ferme le pont Wilson à la circulation dès mercredi.
Salaires : le syndicaliste [Philippe Grandin] menace d'un mouvement de grève.
Notre premier jour dans la maison, [Louison] refusait de dormir.
De gauche à droite : tante [Odette], [Fernand], et derrière, cousine [Maëlle].
[Timéo], trois semaines, dans les bras de papi [Roger].
Sortie scolaire au château de Chambord, mai 2004.
Noces d'or de [Lucette] et [Armand] à l'auberge du village.
Tu m'avais promis que [Farid] n'en saurait rien.
Nuit. Sur le toit, [Apolline] compte les étoiles.
Madame [Vuillemin] raccroche et se met à pleurer.
Assieds-toi, [Gaël]. Il faut qu'on parle.
Une fillette trace des cercles dans le sable.
67e minute : [Coman] centre, [Thuram] reprend de la tête sur la barre.
Surprise à Oslo : [Justine Braisaz] devance [Lou Jeanmonnot] au sprint.
Lens perd son quatrième match d'affilée.
L'arbitre donne un carton jaune à [Jules Koundé].
Natation : [Léon Marchand] décroche l'or sur 400 mètres quatre nages.
""",
    "es": """
Última hora: la consejera [Inmaculada Tordesillas] dimite tras la polémica.
Incendio en Burgos: el bombero [Ismael Carrascosa] rescata a once ancianos.
En la entrevista, [Samira Haddad] habla de alquileres, de ruido y de barrios.
El Ayuntamiento de Murcia corta el puente viejo al tráfico desde el miércoles.
Salarios: el sindicalista [Gonzalo Urrutia] amenaza con una huelga.
Nuestro primer día en la casa, [Candela] no quería dormir.
De izquierda a derecha: tía [Milagros], [Fermín] y, detrás, la prima [Ainhoa].
[Leo], tres semanas, en brazos del abuelo [Anselmo].
Excursión del colegio a Segovia, mayo de 2004.
Bodas de oro de [Encarna] y [Saturnino] en la fonda del pueblo.
Me prometiste que [Rashid] no se enteraría de nada.
Noche. En la azotea, [Jimena] cuenta las estrellas.
La señora [Villalobos] cuelga el teléfono y rompe a llorar.
Siéntate, [Álvaro]. Tenemos que hablar.
Una niña dibuja círculos en la arena.
Minuto 67: centra [Nico Williams], cabecea [Morata] y la pelota pega en el larguero.
Sorpresa en Lieja: [Mavi García] bate a [Demi Vollering] al esprint.
El Cádiz encadena cuatro derrotas seguidas.
El árbitro muestra la amarilla a [Dani Carvajal].
Natación: [Hugo González] gana el oro en los 200 metros espalda.
""",
    "it": """
Ultim'ora: l'assessora [Donatella Ruggeri] si dimette dopo le polemiche.
Incendio a Ferrara: il pompiere [Ivano Zambelli] salva undici anziani.
Nell'intervista [Samira Khalil] parla di affitti, di rumore e del futuro del centro.
Il Comune di Pisa chiude al traffico il ponte vecchio da mercoledì.
Salari: il sindacalista [Corrado Mancuso] minaccia lo sciopero.
Il nostro primo giorno nella casa nuova, [Viola] non voleva dormire.
Da sinistra: zia [Ernestina], [Ferruccio] e, dietro, la cugina [Noemi].
[Leo], tre settimane, in braccio al nonno [Silvano].
Gita scolastica a Siena, maggio 2004.
Nozze d'oro di [Palmira] e [Amedeo] alla trattoria del paese.
Mi avevi promesso che [Karim] non avrebbe saputo niente.
Notte. Sul tetto [Ilaria] conta le stelle.
La signora [Bevilacqua] riattacca e scoppia a piangere.
Siediti, [Manlio]. Dobbiamo parlare.
Una bambina disegna cerchi sulla sabbia.
Minuto 67: crossa [Dimarco], [Retegui] colpisce di testa e centra la traversa.
Sorpresa a Oberhof: [Dorothea Wierer] batte [Lisa Vittozzi] in volata.
Il Cagliari perde la quarta partita di fila.
L'arbitro ammonisce [Gianluca Mancini] per proteste.
Nuoto: [Gregorio Paltrinieri] vince l'oro nei 1500 stile libero.
""",
    "en": """
Breaking: Transport minister [Imelda Rowntree] resigns with immediate effect.
Care home fire: firefighter [Desmond Okafor] carries eleven residents to safety.
In this week's interview [Yasmin Tahir] talks about rents, noise and the high street.
Leeds closes Crown Point Bridge to traffic from Wednesday.
Pay row: union leader [Clive Hathersage] threatens a walkout.
Our first day in the new house, [Poppy] would not go to sleep.
From left: Auntie [Maureen], [Ferdie], and behind them cousin [Siobhan].
[Theo], three weeks old, in Grandpa [Gerald]'s arms.
School trip to Bath, May 2004.
Golden wedding of [Winifred] and [Stanley] at the Red Lion.
You promised that [Marek] would never find out.
Night. On the roof, [Leonie] counts the stars.
Mrs [Tremlett] puts the phone down and starts to cry.
Sit down, [Hugo]. We need to talk.
A girl with plaits draws circles in the sand.
67 mins: [Saka] crosses, [Kane] heads it against the bar.
Shock in Oslo: [Lotte Wubben] outsprints [Freya Dunmore] on the line.
Everton lose for the fourth time in a row.
The referee books [Declan Rice] for dissent.
Swimming: [Adam Peaty] takes gold in the 100 metres breaststroke.
""",
}
FIFTH_TEXTS = {
    "de": """
Aus dem Archiv: [Greta Sievers] am Mikrofon, Köln 1961.
Verkehr: Auf der A7 staut es sich vor dem Elbtunnel.
Wetter: Am Abend Gewitter im Süden, im Norden bleibt es trocken.
„Ich gehe nicht“, flüstert [Malwine], „nicht ohne dich.“
Hinten im Boot: [Enno], [Rike] und der Hund.
Ratspräsidentin [Cornelia Vogt] lädt zur Sondersitzung ein.
Endlich Ferien! [Paulina] springt vom Steg.
Der Zeuge [Igor Maslow] schweigt vor Gericht.
Handball: [Juri Knorr] trifft acht Mal, Kiel siegt knapp.
Kultur: Die Sopranistin [Annette Dasch] singt in Salzburg.
Er reicht [Dorothee] den Mantel. Sie lächelt.
Vater und Sohn angeln am Steinhuder Meer.
[Valentin]: Hast du die Karten? [Josefine]: Nein, du hattest sie.
Mein Bruder [Arne] mit seiner ersten Gitarre.
Nach dem Abpfiff umarmt [Jürgen Klopp] den Torwart.
Der Arzt beugt sich über [Silke] und fühlt den Puls.
Silberhochzeit bei [Ingrid] und [Horst].
Eine Krähe fliegt über das leere Feld.
[Kroos] legt zurück, [Wirtz] schießt, Tor!
Polizeisprecher [Thorsten Busch] bestätigt den Fund.
""",
    "fr": """
Archives : [Greta Sorel] au micro, Nice 1961.
Circulation : bouchons sur l'A7 avant le tunnel de Fourvière.
Météo : orages au sud en soirée, temps sec au nord.
« Je ne pars pas », murmure [Malvina], « pas sans toi. »
Au fond de la barque : [Enzo], [Romane] et le chien.
La présidente du conseil, [Cornélie Vautrin], convoque une séance.
Enfin les vacances ! [Pauline] saute du ponton.
Le témoin [Igor Maslov] se tait devant le tribunal.
Handball : [Nikola Karabatic] marque huit fois et Nantes s'impose.
Culture : la soprano [Sabine Devieilhe] chante à Salzbourg.
Il tend son manteau à [Dorothée]. Elle sourit.
Un père et son fils pêchent au bord du lac.
[Valentin] : Tu as les billets ? [Joséphine] : Non, c'est toi.
Mon frère [Arnaud] avec sa première guitare.
Au coup de sifflet, [Didier Deschamps] embrasse son gardien.
Le médecin se penche sur [Sylvie] et prend son pouls.
Noces d'argent chez [Ingrid] et [Horace].
Un corbeau survole le champ vide.
[Rabiot] remise, [Tchouaméni] frappe, but !
Le porte-parole de la police, [Thierry Besson], confirme la découverte.
""",
    "es": """
Archivo: [Greta Solís] ante el micrófono, Vigo 1961.
Tráfico: retenciones en la A7 antes del túnel.
Tiempo: tormentas en el sur, seco en el norte.
—No me voy —susurra [Malvina]—, no sin ti.
Al fondo de la barca: [Enzo], [Rocío] y el perro.
La presidenta del consejo, [Cornelia Vega], convoca una sesión.
¡Por fin vacaciones! [Paulina] salta del muelle.
El testigo [Igor Maslov] calla ante el tribunal.
Balonmano: [Raúl Entrerríos] marca ocho goles y gana el Barcelona.
Cultura: la soprano [Sabina Puértolas] canta en Salzburgo.
Le tiende el abrigo a [Dorotea]. Ella sonríe.
Un padre y su hijo pescan a la orilla del lago.
[Valentín]: ¿Tienes las entradas? [Josefina]: No, las tenías tú.
Mi hermano [Arnau] con su primera guitarra.
Al pitido final, [Luis Enrique] abraza al portero.
El médico se inclina sobre [Silvia] y le toma el pulso.
Bodas de plata de [Ingrid] y [Horacio].
Un cuervo sobrevuela el campo vacío.
[Pedri] cede atrás, [Oyarzabal] dispara, ¡gol!
El portavoz de la policía, [Teodoro Bustos], confirma el hallazgo.
""",
    "it": """
Archivio: [Greta Solari] al microfono, Genova 1961.
Traffico: code sull'A7 prima della galleria.
Meteo: temporali al sud, asciutto al nord.
«Non me ne vado», sussurra [Malvina], «non senza di te.»
In fondo alla barca: [Enzo], [Romina] e il cane.
La presidente del consiglio, [Cornelia Vezzali], convoca una seduta.
Finalmente le vacanze! [Paolina] salta dal pontile.
Il testimone [Igor Maslov] tace davanti al tribunale.
Pallavolo: [Paola Egonu] firma trenta punti e Conegliano vince.
Cultura: la soprano [Sabina Cvilak] canta a Salisburgo.
Porge il cappotto a [Dorotea]. Lei sorride.
Padre e figlio pescano in riva al lago.
[Valentino]: Hai tu i biglietti? [Giuseppina]: No, li avevi tu.
Mio fratello [Arnaldo] con la sua prima chitarra.
Al fischio finale [Luciano Spalletti] abbraccia il portiere.
Il medico si china su [Silvia] e le sente il polso.
Nozze d'argento di [Ingrid] e [Orazio].
Un corvo vola sopra il campo vuoto.
[Jorginho] appoggia, [Scamacca] tira, gol!
Il portavoce della questura, [Teodoro Bossi], conferma il ritrovamento.
""",
    "en": """
From the archive: [Greta Sorrell] at the microphone, Hull 1961.
Traffic: Queues on the M7 ahead of the tunnel.
Weather: Storms in the south, dry in the north.
"I am not leaving," whispers [Malvina], "not without you."
At the back of the boat: [Enzo], [Romy] and the dog.
Council leader [Cornelia Voss] calls a special session.
Holidays at last! [Paulina] jumps off the pier.
The witness [Igor Maslov] stays silent in court.
Hockey: [Lily Owsley] scores twice and Surbiton win.
Culture: Soprano [Sabine Devereux] sings in Salzburg.
He hands [Dorothy] the coat. She smiles.
A father and his son fish by the lake.
[Valentine]: Have you got the tickets? [Josephine]: No, you had them.
My brother [Arne] with his first guitar.
At the final whistle [Emma Hayes] hugs the goalkeeper.
The doctor bends over [Sylvia] and takes her pulse.
Silver wedding of [Ingrid] and [Horace].
A crow flies over the empty field.
[Foden] lays it off, [Palmer] shoots, goal!
Police spokesman [Theodore Bosworth] confirms the find.
""",
}
FOURTH = {language: unmarked(text) for language, text in FOURTH_TEXTS.items()}
FIFTH = {language: unmarked(text) for language, text in FIFTH_TEXTS.items()}
